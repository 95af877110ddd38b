"""A forward in bfloat16, in a closure; gradients of the first layer are whitened on their way."""
import torch
from torch import nn


class Fit:
    def __init__(self, net, x, y):
        self.net, self.x, self.y = net, x, y
        self.opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
        cov = x.t() @ x / len(x) + 0.1 * torch.eye(x.shape[1])
        self.whiten = torch.linalg.inv(cov)
        net[0].weight.register_hook(lambda grad: (grad @ self.whiten).to(grad.dtype))

    def closure(self):
        self.opt.zero_grad()
        out = self.net(self.x)
        loss = nn.functional.mse_loss(out.float(), self.y)
        loss.backward()
        return loss

    def turn(self):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = self.opt.step(self.closure)
        return float(loss.detach())


def train(record):
    torch.manual_seed(114)
    x = torch.randn(96, 6) * torch.tensor([1.0, 2.0, 0.5, 1.0, 3.0, 1.0])
    y = torch.sin(x[:, :1]) + 0.3 * x[:, 1:2]
    fit = Fit(nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1)), x, y)
    for _ in range(20):
        fit.turn()
        record(list(fit.net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
