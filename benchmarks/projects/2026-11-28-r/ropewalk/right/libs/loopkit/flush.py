def flush(optimizer, precision=None):
    """One update, and clean gradients for the next."""
    if precision is None:
        optimizer.step()
    else:
        precision.scaler.step(optimizer)
        precision.scaler.update()
    optimizer.zero_grad()
