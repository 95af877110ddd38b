def micro_step(model, batch, grad_accum):
    x, y = batch
    loss = model(x, y) / grad_accum
    loss.backward()
    return loss.item() * grad_accum
