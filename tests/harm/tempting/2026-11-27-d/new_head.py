import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Trainable:
    def __init__(self, net):
        self.net = net

    def __iter__(self):
        return filter(lambda p: p.requires_grad, self.net.parameters())


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(7, 18)
        self.head = nn.Linear(18, 4)

    def forward(self, x):
        return self.head(torch.relu(self.body(x)))


def swap_head(net, opt):
    net.head = nn.Linear(18, 4)
    opt.add_param_group({"params": net.head.parameters(), "lr": 1.0})


def train(record):
    torch.manual_seed(18)
    x = torch.randn(72, 7)
    coarse, fine = x[:, :4].argmax(1), x[:, 3:].argmax(1)
    net = Tagger()
    weights = Trainable(net)
    opt = torch.optim.SGD(weights, lr=0.5)
    for epoch in range(3):
        if epoch == 1:
            swap_head(net, opt)
        target = coarse if epoch == 0 else fine
        for xb, yb in zip(x.split(12), target.split(12)):
            F.cross_entropy(net(xb), yb).backward()
            clip_grad_norm_(weights, 0.2)
            opt.step()
            record(list(net.parameters()))
            opt.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
