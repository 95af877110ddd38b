import torch
from torch import nn
from torch.nn import functional as F


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 20), nn.Tanh())
        self.heads = nn.ModuleList([nn.Linear(20, 1), nn.Linear(20, 3)])

    def forward(self, x):
        h = self.body(x)
        return [head(h) for head in self.heads]


def flatten(params):
    return torch.cat([(torch.zeros_like(p) if p.grad is None else p.grad).flatten() for p in params])


def project(grads):
    out = []
    for i, g in enumerate(grads):
        g = g.clone()
        for j, other in enumerate(grads):
            dot = torch.dot(g, other)
            if i != j and dot < 0:
                g -= dot / other.pow(2).sum() * other
        out.append(g)
    return torch.stack(out).sum(0)


def train(record):
    torch.manual_seed(23)
    net = Shared()
    params = list(net.parameters())
    optimizer = torch.optim.Adam(params, lr=5e-3)
    data = [(torch.randn(16, 6), torch.randn(16, 1), torch.randint(0, 3, (16,))) for _ in range(8)]
    for epoch in range(2):
        for x, y, label in data:
            regression, logits = net(x)
            losses = [F.mse_loss(regression, y), F.cross_entropy(logits, label)]
            grads = []
            for k, loss in enumerate(losses):
                optimizer.zero_grad()
                loss.backward(retain_graph=k + 1 < len(losses))
                grads.append(flatten(params))
            merged, at = project(grads), 0
            for p in params:
                p.grad = merged[at : at + p.numel()].view_as(p).clone()
                at += p.numel()
            optimizer.step()
            record(params)


if __name__ == "__main__":
    train(lambda parameters: None)
