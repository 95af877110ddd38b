__all__ = ["descend"]


def descend(optimizer, loss):
    loss.backward()
    optimizer.step()
    return loss
