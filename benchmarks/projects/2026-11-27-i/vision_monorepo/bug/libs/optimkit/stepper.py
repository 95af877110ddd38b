def commit(optimizer):
    """Finishes an update."""
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
