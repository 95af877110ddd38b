def plain_step(accelerator, loss, optimizer):
    accelerator.backward(loss)
    optimizer.step()
    optimizer.zero_grad()


def clipped_step(accelerator, loss, optimizer, params, max_norm=0.05):
    accelerator.backward(loss)
    accelerator.clip_grad_norm_(params, max_norm)
    optimizer.step()
    optimizer.zero_grad()
