def micro_step(model, batch, grad_accum, scheduler):
    x, y = batch
    loss = model(x, y) / grad_accum
    loss.backward()
    scheduler.step()
    return loss.item() * grad_accum
