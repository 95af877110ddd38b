from contextlib import contextmanager


@contextmanager
def micro_batch(accelerator, model, optimizer, max_norm):
    """One micro-batch: the body computes and backpropagates, the update happens on leaving."""
    with accelerator.accumulate(model):
        yield
        if accelerator.sync_gradients:
            accelerator.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        optimizer.zero_grad()
