def backprop(loss, optimizer, weight=1.0, reset=True):
    """Gradient of `weight * loss`; starts from clean buffers unless told otherwise."""
    if reset:
        optimizer.zero_grad(set_to_none=True)
    (loss * weight).backward()
    return loss.item()


def update(net, optimizer, board):
    board.emit("before_step", net=net)
    optimizer.step()
    board.emit("after_step", net=net)
