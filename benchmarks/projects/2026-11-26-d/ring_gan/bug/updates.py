def descend(optimizer, loss):
    """One complete update of the parameters that `optimizer` holds."""
    loss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    return loss
