def descend(optimizer, loss):
    """One complete update of the parameters that `optimizer` holds."""
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    return loss
