def micro_step(accelerator, model, optimizer, objective, ids, max_norm):
    optimizer.zero_grad()
    loss = objective(model, ids)
    accelerator.backward(loss)
    if accelerator.sync_gradients:
        accelerator.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()
