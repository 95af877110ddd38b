"""Thaw a network from the top, one block every few batches."""
import torch
from torch import nn
from torch.nn import functional as F


class Thawing:
    def __init__(self, width=10, depth=3):
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.Linear(width, width), nn.Tanh()) for _ in range(depth)
        )
        self.head = nn.Linear(width, 2)
        self.blocks.requires_grad_(False)
        everything = [*self.blocks.parameters(), *self.head.parameters()]
        self.opt = torch.optim.SGD(everything, lr=0.3, momentum=0.8)

    @property
    def trainable(self):
        every = [*self.blocks.parameters(), *self.head.parameters()]
        return filter(lambda p: p.requires_grad, every)

    def thaw(self, number):
        if number < len(self.blocks):
            self.blocks[len(self.blocks) - 1 - number].requires_grad_(True)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)

    def learn(self, x, y):
        self.opt.zero_grad()
        F.cross_entropy(self.forward(x), y).backward()
        nn.utils.clip_grad_norm_(self.trainable, 0.2)
        self.opt.step()


def train(record):
    torch.manual_seed(8)
    learner = Thawing()
    for turn in range(24):
        if turn and turn % 6 == 0:
            learner.thaw(turn // 6 - 1)
        x = torch.randn(20, 10)
        learner.learn(x, (x[:, 0] * x[:, 1] > 0).long())
        record([*learner.blocks.parameters(), *learner.head.parameters()])


if __name__ == "__main__":
    train(lambda parameters: None)
