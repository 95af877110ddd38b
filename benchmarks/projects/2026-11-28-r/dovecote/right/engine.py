from torch.nn.functional import huber_loss

from limits import hold


def race(net, flights, strategy):
    net.train()
    total = 0.0
    for n, (sky, field, heading) in enumerate(flights, start=1):
        strategy.open(n)
        loss = huber_loss(net(sky, field), heading)
        strategy.micro(loss)
        total += loss.item()
        if strategy.due(n, len(flights)):
            hold(net)
            strategy.settle()
    return total / len(flights)
