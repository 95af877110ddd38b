"""The plain gradient is turned into a natural one by a few conjugate gradients before the update."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils import parameters_to_vector


def curvature(net, x, vector, damping=0.1):
    logits = F.log_softmax(net(x), 1)
    divergence = F.kl_div(logits, logits.detach(), log_target=True, reduction="batchmean")
    params = list(net.parameters())
    first = parameters_to_vector(torch.autograd.grad(divergence, params, create_graph=True))
    second = torch.autograd.grad(first @ vector, params)
    return parameters_to_vector(second) + damping * vector


def solve(product, b, turns=5):
    x, r = torch.zeros_like(b), b.clone()
    p, rr = r.clone(), r @ r
    for _ in range(turns):
        ap = product(p)
        a = rr / (p @ ap)
        x, r = x + a * p, r - a * ap
        p, rr = r + (r @ r) / rr * p, r @ r
    return x


def train(record):
    torch.manual_seed(19)
    net = nn.Sequential(nn.Linear(4, 10), nn.Tanh(), nn.Linear(10, 3))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
    for _ in range(12):
        x = torch.randn(30, 4)
        F.cross_entropy(net(x), x[:, :3].argmin(1)).backward()
        plain = parameters_to_vector([p.grad for p in net.parameters()])
        optimizer.zero_grad(set_to_none=False)
        natural = solve(lambda v: curvature(net, x, v), plain)
        at = 0
        for p in net.parameters():
            p.grad.add_(natural[at : at + p.numel()].view_as(p))
            at += p.numel()
        optimizer.step()
        record(list(net.parameters()))
        optimizer.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
