def advance(optimizer, scheduler=None):
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
