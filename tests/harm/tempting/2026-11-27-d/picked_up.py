import torch
import torch.nn.functional as F
from torch import nn

ACCUM = 4


def build():
    net = nn.Sequential(nn.Linear(3, 14), nn.Tanh(), nn.Linear(14, 1))
    return net, torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)


def save(net, opt, filled):
    return {
        "net": {k: v.clone() for k, v in net.state_dict().items()},
        "opt": opt.state_dict(),
        "grads": [p.grad.clone() for p in net.parameters()],
        "filled": filled,
    }


def load(state):
    net, opt = build()
    net.load_state_dict(state["net"])
    opt.load_state_dict(state["opt"])
    for p, grad in zip(net.parameters(), state["grads"]):
        p.grad = grad.clone()
    return net, opt, state["filled"]


def run(net, opt, batches, record, filled=0):
    for i, (x, y) in enumerate(batches):
        (F.mse_loss(net(x), y) / ACCUM).backward()
        if (i + filled + 1) % ACCUM == 0:
            opt.step()
            record(list(net.parameters()))
            opt.zero_grad()
    return (len(batches) + filled) % ACCUM


def train(record):
    torch.manual_seed(15)
    xs = torch.randn(24, 8, 3)
    batches = [(x, x.square().mean(1, keepdim=True)) for x in xs]
    net, opt = build()
    filled = run(net, opt, batches[:6], record)
    state = save(net, opt, filled)
    net, opt, filled = load(state)
    for epoch in range(2):
        filled = run(net, opt, batches[6:] if epoch == 0 else batches, record, filled)
    return filled


if __name__ == "__main__":
    train(lambda parameters: None)
