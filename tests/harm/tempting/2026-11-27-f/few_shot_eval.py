import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call


def task(shots=6):
    phase, height = 3.1416 * torch.rand(1), 0.5 + torch.rand(1)
    x = 6 * torch.rand(2 * shots, 1) - 3
    y = height * torch.sin(x + phase)
    return x[:shots], y[:shots], x[shots:], y[shots:]


def build():
    return nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Dropout(0.05), nn.Linear(24, 1))


def tuned(net, x, y, rate, turns):
    weights = dict(net.named_parameters())
    for _ in range(turns):
        loss = F.mse_loss(functional_call(net, weights, (x,)), y)
        slopes = torch.autograd.grad(loss, list(weights.values()))
        weights = {k: w.detach() - rate * g for (k, w), g in zip(weights.items(), slopes)}
        weights = {k: w.requires_grad_() for k, w in weights.items()}
    return weights


def validate(net, tasks):
    net.eval()
    before, after = 0.0, 0.0
    for near_x, near_y, far_x, far_y in tasks:
        with torch.no_grad():
            before += F.mse_loss(net(far_x), far_y).item()
        weights = tuned(net, near_x, near_y, rate=0.05, turns=3)
        with torch.no_grad():
            after += F.mse_loss(functional_call(net, weights, (far_x,)), far_y).item()
    net.train()
    return before / len(tasks), after / len(tasks)


def train(record):
    torch.manual_seed(609)
    net = build()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    held_out = [task() for _ in range(4)]
    for epoch in range(3):
        for _ in range(8):
            near_x, near_y, far_x, far_y = task()
            optimizer.zero_grad()
            F.mse_loss(net(torch.cat([near_x, far_x])), torch.cat([near_y, far_y])).backward()
            optimizer.step()
            record(list(net.parameters()))
        before, after = validate(net, held_out)
        if after > before:
            for group in optimizer.param_groups:
                group["lr"] *= 0.5
        print(epoch, before, after)


if __name__ == "__main__":
    train(lambda parameters: None)
