import torch
from torch import nn
from torch.nn import functional as F

KEEP, START = 0.8, 0.5


def polynomial(n):
    x = torch.randn(n, 2)
    return x, (x[:, :1] ** 3 - 2 * x[:, 1:] * x[:, :1])


def update(net, opt, batch, turn, history, record):
    x, y = batch
    opt.zero_grad()
    error = F.mse_loss(net(x), y)
    error.backward()
    # anneal the ceiling: loose at first, tight at the end
    ceiling = START * KEEP**turn
    norm = nn.utils.clip_grad_norm_(net.parameters(), ceiling)
    opt.step()
    record(list(net.parameters()))
    history.append({"turn": turn, "norm": float(norm), "ceiling": ceiling})
    return error.item()


def summary(history):
    over = [h for h in history if h["norm"] > h["ceiling"]]
    return f"{len(over)} of {len(history)} updates above the ceiling"


def train(record):
    torch.manual_seed(13)
    net = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    x, y = polynomial(64)
    history, turn = [], 0
    for epoch in range(3):
        total = 0.0
        for batch in zip(x.split(16), y.split(16)):
            total += update(net, opt, batch, turn, history, record)
            turn += 1
        print(epoch, total, summary(history))


if __name__ == "__main__":
    train(lambda parameters: None)
