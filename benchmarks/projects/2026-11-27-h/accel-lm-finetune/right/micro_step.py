def micro_step(accelerator, model, optimizer, objective, ids, max_norm):
    loss = objective(model, ids)
    accelerator.backward(loss)
    if accelerator.sync_gradients:
        accelerator.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()
