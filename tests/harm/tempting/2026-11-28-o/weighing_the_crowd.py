"""Noisy sources are weighed by what a step on them does to a small clean set."""
import torch
from torch import nn
from torch.func import functional_call
from torch.nn import functional as F

SOURCES, LR = 3, 0.2


def train(record):
    torch.manual_seed(70)
    body = nn.Sequential(nn.Linear(6, 10), nn.ReLU(), nn.Dropout(0.2), nn.Linear(10, 2))
    opt = torch.optim.SGD(body.parameters(), lr=LR)
    weights = nn.Parameter(torch.zeros(SOURCES))
    weights_opt = torch.optim.Adam([weights], lr=0.1)
    x = torch.randn(SOURCES, 40, 6)
    y = (x[..., 0] > 0).long()
    y[2] = 1 - y[2]
    clean_x = torch.randn(30, 6)
    clean_y = (clean_x[:, 0] > 0).long()

    for turn in range(25):
        rows = torch.randint(0, 40, (8,))
        each = torch.stack([F.cross_entropy(body(x[s, rows]), y[s, rows]) for s in range(SOURCES)])
        grads = torch.autograd.grad(weights.softmax(0) @ each, list(body.parameters()), create_graph=True)
        ahead = {n: p - LR * g for (n, p), g in zip(body.named_parameters(), grads)}
        net = lambda inputs: functional_call(body, ahead, (inputs,))

        body.eval()
        trusted = F.cross_entropy(net(clean_x), clean_y)
        weights_opt.zero_grad()
        trusted.backward()
        weights_opt.step()
        record([weights])

        body.train()
        opt.zero_grad()
        each = torch.stack([F.cross_entropy(body(x[s, rows]), y[s, rows]) for s in range(SOURCES)])
        (weights.detach().softmax(0) @ each).backward()
        opt.step()
        record(list(body.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
