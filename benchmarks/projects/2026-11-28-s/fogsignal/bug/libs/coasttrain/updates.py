def finish(optimizer, scaler=None):
    """Step and clear. A scaler may serve several optimizers: its owner updates it."""
    if scaler is None:
        optimizer.step()
    else:
        scaler.step(optimizer)
    optimizer.zero_grad(set_to_none=True)
