import torch
import torch.nn.functional as F
from torch import nn


def build():
    trunk = nn.Sequential(nn.Linear(6, 16), nn.Tanh())
    return nn.ModuleDict({"trunk": trunk, "head": nn.Linear(16, 1)})


def forward(net, x):
    return net["head"](net["trunk"](x))


def train(record):
    torch.manual_seed(44)
    xs = torch.randn(8, 10, 6)
    net = build()
    net["trunk"].requires_grad_(False)
    trainable = list(filter(lambda p: p.requires_grad, net.parameters()))
    head_opt = torch.optim.SGD(trainable, lr=0.3)
    trunk_opt = torch.optim.SGD(net["trunk"].parameters(), lr=0.02)
    for epoch in range(3):
        thawed = epoch > 0
        net["trunk"].requires_grad_(thawed)
        for x in xs:
            head_opt.zero_grad()
            trunk_opt.zero_grad()
            target = (x[:, :2].sum(1, keepdim=True) * 2).sin() * 3
            F.mse_loss(forward(net, x), target).backward()
            nn.utils.clip_grad_norm_(trainable, 0.5)
            head_opt.step()
            record(list(net.parameters()))
            if thawed:
                trunk_opt.step()
                record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
