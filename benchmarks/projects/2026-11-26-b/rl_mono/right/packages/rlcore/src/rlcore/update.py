def descend(loss, optimizer):
    optimizer.zero_grad(set_to_none=True)
    loss.backward()


def unwrap(model):
    return getattr(model, "module", model)
