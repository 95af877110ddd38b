"""From the top down, one more block is trained in each stage."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Thawing:
    def __init__(self, blocks):
        self.net = nn.Sequential(*blocks)
        self.net.requires_grad_(False)
        self.level = len(blocks)
        self.opt = None

    @property
    def trainable(self):
        return filter(lambda p: p.requires_grad, self.net.parameters())

    def thaw(self):
        self.level -= 1
        fresh = list(self.net[self.level].requires_grad_(True).parameters())
        if self.opt is None:
            self.opt = torch.optim.SGD(self.trainable, lr=0.2, momentum=0.9)
        else:
            self.opt.add_param_group({"params": fresh, "lr": 0.1})

    def learn(self, x, y):
        self.opt.zero_grad()
        loss = nn.functional.cross_entropy(self.net(x), y)
        loss.backward()
        clip_grad_norm_(self.trainable, 0.25)
        self.opt.step()
        return loss.item()


def train(record):
    torch.manual_seed(61)
    blocks = [nn.Sequential(nn.Linear(6, 6), nn.Tanh()) for _ in range(2)] + [nn.Linear(6, 3)]
    stages = Thawing(blocks)
    x = torch.randn(18, 10, 6)
    y = x[..., :3].argmax(-1)
    for i in range(18):
        if i % 6 == 0:
            stages.thaw()
        stages.learn(x[i], y[i])
        record(list(stages.net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
