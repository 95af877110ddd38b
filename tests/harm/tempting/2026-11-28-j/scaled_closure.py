"""LBFGS asks for the gradient several times, and the scaler knows no closures: it is unscaled in the closure."""
import torch
from torch import nn

DEGREE = 5


def features(t):
    return torch.cat([torch.cos(k * t) for k in range(1, DEGREE + 1)], 1)


class Problem:
    def __init__(self, net, t):
        self.net, self.x = net, features(t)
        self.y = torch.sign(torch.sin(3 * t)) * t.abs().sqrt()

    def loss(self):
        return nn.functional.mse_loss(self.net(self.x), self.y)


def train(record):
    torch.manual_seed(4)
    net = nn.Sequential(nn.Linear(DEGREE, 9), nn.Tanh(), nn.Linear(9, 1))
    problem = Problem(net, torch.linspace(-2, 2, 40).unsqueeze(1))
    optimizer = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=4, history_size=5)
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0)

    def closure():
        optimizer.zero_grad()
        loss = problem.loss()
        scaler.scale(loss).backward()
        torch._foreach_div_([p.grad for p in net.parameters()], scaler.get_scale())
        return loss.detach()

    for _ in range(8):
        optimizer.step(closure)
        record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
