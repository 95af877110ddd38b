import torch

from .objective import masked_huber, training_objective
from .trail import Trail
from .windows import Window


def fit(net, loaders, settings):
    train, held_out = loaders
    optimizer = torch.optim.Adam(net.parameters(), lr=settings.lr)
    objective = training_objective(settings)
    window = Window(settings.accum, len(train))
    trail = Trail()
    for epoch in range(settings.epochs):
        net.train()
        for n, (x, y, mask) in enumerate(train, 1):
            loss = objective(net(x), y, mask)
            loss.backward()
            trail.record(loss=loss)
            if window.closes(n):
                optimizer.step()
                optimizer.zero_grad()
        print(epoch, round(trail.mean("loss", len(train)), 5), round(validate(net, held_out), 5))
    return trail


@torch.inference_mode()
def validate(net, loader):
    net.eval()
    losses = [masked_huber(net(x), y, mask) for x, y, mask in loader]
    return torch.stack(losses).mean().item()
