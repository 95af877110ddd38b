"""Gradual unfreezing: the head first, then one block more every second epoch."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def build():
    blocks = [nn.Sequential(nn.Linear(10, 10), nn.ReLU()) for _ in range(3)]
    return nn.Sequential(*blocks, nn.Linear(10, 4))


class Tuner:
    def __init__(self, net, max_norm=0.3):
        self.net, self.max_norm = net, max_norm
        for block in net[:-1]:
            block.requires_grad_(False)
        self.optimizer = torch.optim.SGD(self.trainable, lr=0.2, momentum=0.9)

    @property
    def trainable(self):
        return filter(lambda p: p.requires_grad, self.net.parameters())

    def thaw(self, index):
        block = self.net[index]
        block.requires_grad_(True)
        self.optimizer.add_param_group({"params": list(block.parameters()), "lr": 0.05})

    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = nn.functional.cross_entropy(self.net(x), y)
        loss.backward()
        norm = clip_grad_norm_(self.trainable, self.max_norm)
        self.optimizer.step()
        return loss.item(), norm.item()


def train(record):
    torch.manual_seed(3)
    x = torch.randn(48, 10)
    y = (x[:, :4] + 0.3 * torch.randn(48, 4)).argmax(1)
    tuner = Tuner(build())
    pending = [2, 1, 0]
    for epoch in range(6):
        if epoch % 2 == 1 and pending:
            tuner.thaw(pending.pop(0))
        for xb, yb in zip(x.split(16), y.split(16)):
            loss, norm = tuner.step(xb, yb)
            record(list(tuner.net.parameters()))
        print(epoch, round(loss, 4), round(norm, 4))


if __name__ == "__main__":
    train(lambda parameters: None)
