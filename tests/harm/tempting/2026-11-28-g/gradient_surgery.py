import torch
from torch import nn


class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(6, 10), nn.ReLU())
        self.heads = nn.ModuleList([nn.Linear(10, 1) for _ in range(3)])

    def forward(self, x):
        h = self.shared(x)
        return [head(h) for head in self.heads]


def flatten(params):
    return torch.cat([(torch.zeros_like(p) if p.grad is None else p.grad).flatten() for p in params])


def project(grads):
    fixed = [g.clone() for g in grads]
    for i, g in enumerate(fixed):
        for j, other in enumerate(grads):
            dot = g @ other
            if i != j and dot < 0:
                g -= dot / other.pow(2).sum() * other
    return torch.stack(fixed).mean(0)


def write_back(params, flat):
    start = 0
    for p in params:
        p.grad = flat[start : start + p.numel()].view_as(p).clone()
        start += p.numel()


def train(record):
    torch.manual_seed(90)
    model = MultiTask()
    params = list(model.parameters())
    optimizer = torch.optim.Adam(params, lr=1e-2)
    truth = torch.randn(6, 3)
    for step in range(12):
        x = torch.randn(16, 6)
        y = (x @ truth).tanh()
        collected = []
        losses = [nn.functional.mse_loss(o, y[:, k : k + 1]) for k, o in enumerate(model(x))]
        for loss in losses:
            optimizer.zero_grad()
            loss.backward(retain_graph=True)
            collected.append(flatten(params))
        write_back(params, project(collected))
        optimizer.step()
        record(params)


if __name__ == "__main__":
    train(lambda parameters: None)
