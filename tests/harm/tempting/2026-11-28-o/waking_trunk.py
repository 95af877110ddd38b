"""Head first, then head and trunk together; the optimizer has both from the start."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Stage:
    def __init__(self, name, epochs, trunk):
        self.name, self.epochs, self.trunk = name, epochs, trunk


PLAN = [Stage("head", 3, trunk=False), Stage("all", 4, trunk=True)]


def train(record):
    torch.manual_seed(44)
    trunk = nn.Sequential(nn.Linear(6, 12), nn.ReLU())
    head = nn.Linear(12, 1)
    net = nn.Sequential(trunk, head)
    trunk.requires_grad_(False)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    learning = filter(lambda p: p.requires_grad, net.parameters())
    print("learning at first:", sum(p.numel() for p in learning))
    x = torch.randn(60, 6)
    y = 5 * torch.sin(x[:, :1] + x[:, 1:2])
    batches = list(zip(x.split(15), y.split(15)))
    for stage in PLAN:
        trunk.requires_grad_(stage.trunk)
        for _ in range(stage.epochs):
            for inputs, targets in batches:
                optimizer.zero_grad()
                nn.functional.mse_loss(net(inputs), targets).backward()
                clip_grad_norm_(learning, 0.3)
                optimizer.step()
                record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
