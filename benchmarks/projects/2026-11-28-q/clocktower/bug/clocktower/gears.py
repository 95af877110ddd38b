def release(optimizer):
    """Lets go of what the last beat has left."""
    optimizer.zero_grad(set_to_none=True)


def tick(optimizer):
    """One tooth forward."""
    optimizer.step()
