from .gradients import backprop, update
from .process import dots, noise_loss


def warm_start(net, optimizer, board, steps):
    for _ in range(steps):
        backprop(noise_loss(net, dots(32)), optimizer)
        update(net, optimizer, board)


def fit(net, optimizer, board, updates, micro):
    losses = []
    for _ in range(updates):
        total = 0.0
        for k in range(micro):
            loss = noise_loss(net, dots(32))
            total += backprop(loss, optimizer, weight=1 / micro, reset=k == 0)
        update(net, optimizer, board)
        losses.append(total / micro)
    return losses
