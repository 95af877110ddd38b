import math

import torch
from torch import nn

torch.set_default_dtype(torch.float32)


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 1))

    def forward(self, t):
        return self.net(t)


def residual(field, t):
    u = field(t)
    (du,) = torch.autograd.grad(u.sum(), t, create_graph=True)
    return du + u - torch.sin(math.pi * t)


def train(record):
    torch.manual_seed(57)
    field = Field()
    params = list(field.parameters())
    points = torch.rand(40, 1).requires_grad_(True)
    start = torch.zeros(1, 1)
    adam = torch.optim.Adam(params, lr=1e-2)
    lbfgs = torch.optim.LBFGS(params, max_iter=4, history_size=6, line_search_fn="strong_wolfe")

    def objective():
        return residual(field, points).pow(2).mean() + field(start).pow(2).sum()

    for epoch in range(2):
        for _ in range(10):
            adam.zero_grad()
            objective().backward()
            adam.step()
            record(params)

        def closure():
            lbfgs.zero_grad()
            value = objective()
            value.backward()
            nn.utils.clip_grad_norm_(params, 100.0)
            return value

        for _ in range(3):
            lbfgs.step(closure)
            record(params)


if __name__ == "__main__":
    train(lambda parameters: None)
