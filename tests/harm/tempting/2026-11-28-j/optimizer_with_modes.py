"""Some optimizers have modes of their own (they average while they evaluate); others have none."""
import torch
from torch import nn


class Averaging(torch.optim.SGD):
    """SGD whose eval() puts the average of the weights in, and train() the weights back."""

    def __init__(self, params, lr):
        super().__init__(params, lr=lr)
        self.all = self.param_groups[0]["params"]
        self.mean, self.kept, self.count = [p.detach().clone() for p in self.all], None, 1

    def train(self):
        for p, k in zip(self.all, self.kept):
            p.data.copy_(k)

    def eval(self):
        self.kept = [p.detach().clone() for p in self.all]
        self.count += 1
        for p, m in zip(self.all, self.mean):
            p.data.copy_(m.lerp_(p.detach(), 1 / self.count))


def has_modes(optimizer):
    try:
        optimizer.train
    except AttributeError:
        return False
    return True


def train(record):
    for make in (Averaging, torch.optim.Adam):
        torch.manual_seed(12)
        net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
        optimizer = make(net.parameters(), lr=0.05)
        modes = has_modes(optimizer)
        for epoch in range(3):
            for _ in range(5):
                x = torch.randn(14, 3)
                optimizer.zero_grad()
                nn.functional.l1_loss(net(x), x.amax(1, keepdim=True)).backward()
                optimizer.step()
                record(list(net.parameters()))
            if modes:
                optimizer.eval()
            with torch.no_grad():
                net(torch.eye(3)).sum().item()
            if modes:
                optimizer.train()


if __name__ == "__main__":
    train(lambda parameters: None)
