"""Depth and segmentation from one trunk; conflicting gradients are projected (PCGrad)."""
import torch
import torch.nn.functional as F
from torch import nn


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(8, 24), nn.Tanh())
        self.depth = nn.Linear(24, 1)
        self.segment = nn.Linear(24, 3)

    def forward(self, x):
        h = self.trunk(x)
        return self.depth(h), self.segment(h)


def flat(parameters):
    return torch.cat([(torch.zeros_like(p) if p.grad is None else p.grad).flatten() for p in parameters])


def project(own, other):
    dot = own @ other
    return own - dot / other.pow(2).sum().clamp_min(1e-12) * other if dot < 0 else own


def unflatten(vector, parameters):
    at = 0
    for p in parameters:
        p.grad = vector[at : at + p.numel()].view_as(p).clone()
        at += p.numel()


def train(record):
    torch.manual_seed(1)
    net = TwoHeads()
    params = list(net.parameters())
    optimizer = torch.optim.Adam(params, lr=5e-3)
    x = torch.randn(64, 8)
    distance = x[:, :1].abs()
    label = (x[:, 1] - x[:, 0]).sign().long() + 1
    for epoch in range(4):
        for rows in torch.randperm(64).split(16):
            depth, segment = net(x[rows])
            losses = [F.l1_loss(depth, distance[rows]), F.cross_entropy(segment, label[rows])]
            found = []
            for k, loss in enumerate(losses):
                optimizer.zero_grad()
                loss.backward(retain_graph=k == 0)
                found.append(flat(params))
            first, second = found
            unflatten((project(first, second) + project(second, first)) / 2, params)
            optimizer.step()
            record(params)
        print(epoch, [round(v.item(), 4) for v in losses])


if __name__ == "__main__":
    train(lambda parameters: None)
