def commit(optimizer, scaler):
    """Finishes an update."""
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
