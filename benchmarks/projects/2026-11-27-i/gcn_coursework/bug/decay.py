from torch.optim.lr_scheduler import StepLR


def epochs_with_decay(optimizer, n, every=20, gamma=0.5):
    """Yields the epochs and lets the learning rate decay."""
    sched = StepLR(optimizer, step_size=every, gamma=gamma)
    for epoch in range(n):
        sched.step()
        yield epoch
