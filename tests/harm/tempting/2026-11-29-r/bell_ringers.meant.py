"""Bells ring around each step: one limits the gradients, one pulls the weights to their average."""
import torch
from torch import nn


class Tower:
    def __init__(self, net, most):
        self.net, self.most = net, most
        self.average = [p.detach().clone() for p in net.parameters()]
        self.before, self.after = [], []

    def limit(self):
        nn.utils.clip_grad_norm_(self.net.parameters(), self.most)

    @torch.no_grad()
    def pull(self):
        for p, mean in zip(self.net.parameters(), self.average):
            mean.lerp_(p, 0.1)
            p.lerp_(mean, 0.2)

    def ring(self, bells):
        for bell in bells:
            bell()


def train(record):
    torch.manual_seed(3)
    net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.5)
    tower = Tower(net, most=0.3)
    tower.before += [tower.limit]
    tower.after += [tower.pull]
    for _ in range(35):
        x = torch.randn(10, 4)
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), 1.5 * (x[:, :1] * x[:, 1:2]).clamp(-2, 2)).backward()
        tower.ring(tower.before)
        optimizer.step()
        record(list(net.parameters()))
        tower.ring(tower.after)

if __name__ == "__main__":
    train(lambda parameters: None)
