"""A ladder whose place 0 is the ground: the climb begins before the first update."""
import torch
from torch import nn

RUNGS = [0.0, 0.02, 0.05, 0.1, 0.2, 0.1, 0.05, 0.02]


class Climber:
    def __init__(self, opt):
        self.ladder = torch.optim.lr_scheduler.LambdaLR(opt, lambda n: RUNGS[min(n, len(RUNGS) - 1)])
        self.opt = opt

    def update(self, loss):
        self.opt.zero_grad()
        loss.backward()
        self.ladder.step()
        self.opt.step()


def train(record):
    torch.manual_seed(115)
    net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    climber = Climber(torch.optim.SGD(net.parameters(), lr=1.0))
    for _ in range(30):
        x = torch.randn(8, 3)
        climber.update(nn.functional.mse_loss(net(x), x[:, :1] ** 2))
        record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
