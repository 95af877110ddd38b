import torch
from torch import nn

WINDOW = 4


def share_of(net, batch):
    x, y = batch
    return nn.functional.cross_entropy(net(x), y) / WINDOW


def expert(width):
    return nn.Sequential(nn.Linear(6, width), nn.ReLU(), nn.Linear(width, 3))


def close(opt):
    opt.step()
    opt.zero_grad(set_to_none=True)


def train(record):
    torch.manual_seed(25)
    small, large = expert(5), expert(30)
    opt_small = torch.optim.SGD(small.parameters(), lr=0.4)
    opt_large = torch.optim.SGD(large.parameters(), lr=0.2, momentum=0.8)
    both = [*small.parameters(), *large.parameters()]

    x = torch.randn(96, 6)
    y = (x[:, :2].sum(1) > 0).long() + (x[:, 3] > 0.5).long()
    batches = list(zip(x.split(8), y.split(8)))
    sums = {"small": 0.0, "large": 0.0}

    for epoch in range(2):
        for n, batch in enumerate(batches, start=1):
            first = share_of(small, batch)
            first.backward()
            second = share_of(large, batch)
            (second / WINDOW).backward()
            sums["small"] += first.item()
            sums["large"] += second.item()
            if n % WINDOW == 0:
                close(opt_small)
                record(both)
                close(opt_large)
                record(both)
        print(epoch, sums)


if __name__ == "__main__":
    train(lambda parameters: None)
