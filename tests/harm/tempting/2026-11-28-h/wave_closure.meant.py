"""A small physics fit by closure: y'' = -y from its values and its equation."""
import torch
from torch import nn

ROUNDS = 30


class Wave(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, 10), nn.Tanh(), nn.Linear(10, 1))

    def forward(self, t):
        return self.net(t)

    def residual(self, t):
        t = t.clone().requires_grad_()
        y = self(t)
        (slope,) = torch.autograd.grad(y.sum(), t, create_graph=True)
        (bend,) = torch.autograd.grad(slope.sum(), t, create_graph=True)
        return bend + y


def train(record):
    torch.manual_seed(25)
    model = Wave()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    known = torch.tensor([[0.0], [1.0], [2.5]])
    inner = torch.linspace(0, 3, 20)[:, None]
    history = []

    def closure():
        optimizer.zero_grad()
        data = 10 * (model(known) - known.sin()).square().mean()
        physics = model.residual(inner).square().mean()
        loss = data + physics
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        history.append(loss.item())
        return loss

    for _ in range(ROUNDS):
        optimizer.step(closure)
        record(list(model.parameters()))
    return history


if __name__ == "__main__":
    train(lambda parameters: None)
