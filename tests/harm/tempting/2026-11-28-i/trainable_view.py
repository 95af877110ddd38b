"""Layers thaw one by one, from the top; a view of what is trainable is shared by all who ask."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Trainable:
    def __init__(self, net):
        self.net = net

    def __iter__(self):
        return (p for p in self.net.parameters() if p.requires_grad)


class Thaw:
    def __init__(self, net, optimizer):
        self.frozen = [m for m in net if isinstance(m, nn.Linear)][:-1]
        self.optimizer = optimizer
        for module in self.frozen:
            module.requires_grad_(False)

    def __call__(self, epoch):
        if epoch and self.frozen:
            module = self.frozen.pop()
            module.requires_grad_(True)
            self.optimizer.add_param_group({"params": list(module.parameters()), "lr": 0.02})


def train(record):
    torch.manual_seed(12)
    net = nn.Sequential(nn.Linear(5, 12), nn.ReLU(), nn.Linear(12, 12), nn.ReLU(), nn.Linear(12, 1))
    params = Trainable(net)
    optimizer = torch.optim.SGD(net[-1].parameters(), lr=0.1)
    thaw = Thaw(net, optimizer)
    data = [(x, 4 * x.norm(dim=1, keepdim=True)) for x in torch.randn(6, 16, 5)]
    for epoch in range(4):
        thaw(epoch)
        for x, y in data:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            clip_grad_norm_(params, 1.0)
            optimizer.step()
            record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
