import torch
from torch import nn


def laplacian(u, xy):
    xy = xy.clone().requires_grad_(True)
    g = torch.autograd.grad(u(xy).sum(), xy, create_graph=True)[0]
    return sum(torch.autograd.grad(g[:, k].sum(), xy, create_graph=True)[0][:, k] for k in range(2))


class Solver:
    def __init__(self, width=24, lr=1e-3):
        self.u = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, 1))
        self.opt = torch.optim.Adam(self.u.parameters(), lr=lr)

    def train_step(self, inside, border):
        self.opt.zero_grad()
        loss = (laplacian(self.u, inside) + 1).pow(2).mean() + self.u(border).pow(2).mean()
        loss.backward()
        self.opt.step()
        return loss.item()

    def validate(self, inside):
        # the residual itself is made of derivatives, so autograd has to stay on
        return (laplacian(self.u, inside) + 1).abs().mean().item()


solver = Solver()
edge = torch.rand(40, 2)
edge[:20, 0] = edge[:20, 0].round()
edge[20:, 1] = edge[20:, 1].round()
for step in range(50):
    loss = solver.train_step(torch.rand(64, 2), edge)
    if step % 25 == 0:
        print(step, loss, solver.validate(torch.rand(128, 2)))
