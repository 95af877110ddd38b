from contextlib import contextmanager

import torch
import torch.nn.functional as F


@contextmanager
def fresh(weights):
    try:
        yield
    finally:
        for w in weights:
            w.grad = None


def diary_entry(net):
    return {name: p.grad.norm().item() for name, p in net.named_parameters()}


def make_net():
    return torch.nn.Sequential(
        torch.nn.Linear(6, 12),
        torch.nn.SiLU(),
        torch.nn.Linear(12, 1),
    )


def run_epoch(net, sgd, batches, diary, record):
    weights = list(net.parameters())
    for x, y in batches:
        with fresh(weights):
            F.smooth_l1_loss(net(x), y).backward()
            sgd.step()
            record(weights)
            diary.append(diary_entry(net))
            if diary[-1]["2.bias"] > 0.4:
                for group in sgd.param_groups:
                    group["lr"] *= 0.97


def train(record):
    torch.manual_seed(11)
    net = make_net()
    sgd = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    data = torch.randn(60, 6)
    target = data[:, :2].prod(1, keepdim=True)
    batches = list(zip(data.split(12), target.split(12)))
    diary = []
    for _ in range(3):
        run_epoch(net, sgd, batches, diary, record)
    return diary


if __name__ == "__main__":
    train(lambda parameters: None)
