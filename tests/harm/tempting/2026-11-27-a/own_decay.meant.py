import torch
from torch.optim.lr_scheduler import CosineAnnealingLR


@torch.no_grad()
def shrink(weights, amount):
    for w in weights:
        if w.ndim > 1:
            w.mul_(1 - amount)


def xor(count):
    x = torch.rand(count, 2)
    return x, ((x[:, 0] > 0.5) ^ (x[:, 1] > 0.5)).float()


def train(record):
    torch.manual_seed(210)
    layers = [torch.nn.Linear(2, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1), torch.nn.Flatten(0)]
    net = torch.nn.Sequential(*layers)
    weights = list(net.parameters())
    opt = torch.optim.SGD(weights, lr=0.4, momentum=0.9)
    data = [xor(20) for _ in range(6)]
    sched = CosineAnnealingLR(opt, T_max=3 * len(data))
    decay = 0.05

    for epoch in range(3):
        hits = 0
        for x, y in data:
            opt.zero_grad()
            logits = net(x)
            torch.nn.functional.binary_cross_entropy_with_logits(logits, y).backward()
            rate = opt.param_groups[0]["lr"]
            shrink(weights, rate * decay)
            opt.step()
            record(weights)
            sched.step()
            hits += int(((logits > 0) == y.bool()).sum())


if __name__ == "__main__":
    train(lambda parameters: None)
