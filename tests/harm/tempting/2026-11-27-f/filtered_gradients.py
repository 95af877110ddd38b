import torch
from torch import nn


def flat(params):
    return torch.cat([p.grad.reshape(-1) for p in params])


def add_back(params, vector):
    at = 0
    for p in params:
        p.grad.add_(vector[at : at + p.numel()].view_as(p))
        at += p.numel()


def without(vector, basis):
    for b in basis:
        vector = vector - (vector @ b) * b
    return vector


def train(record):
    torch.manual_seed(620)
    net = nn.Sequential(nn.Linear(4, 10), nn.Tanh(), nn.Linear(10, 1))
    params = list(net.parameters())
    optimizer = torch.optim.SGD(params, lr=0.1)
    tasks = []
    for k in range(3):
        x = torch.randn(40, 4)
        tasks.append((x, torch.sin((k + 1) * x[:, :1])))
    basis = []
    for number, (x, y) in enumerate(tasks):
        for a, b in zip(x.split(8), y.split(8)):
            optimizer.zero_grad(set_to_none=False)
            loss = nn.functional.mse_loss(net(a), b)
            loss.backward()
            direction = without(flat(params), basis)
            optimizer.zero_grad(set_to_none=False)
            add_back(params, direction)
            optimizer.step()
            record(params)
        kept = without(flat(params), basis)
        basis.append(kept / (kept.norm() + 1e-9))
        print(number, loss.item(), len(basis))


if __name__ == "__main__":
    train(lambda parameters: None)
