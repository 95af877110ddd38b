import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def pretrained():
    torch.manual_seed(7)
    net = nn.Sequential()
    net.add_module("stem", nn.Linear(6, 12))
    net.add_module("act", nn.ReLU())
    net.add_module("head", nn.Linear(12, 10))
    return net


def settle(net):
    net.stem.bias.requires_grad_(False)
    return filter(lambda p: p.requires_grad, net.parameters())


def train(record):
    net = pretrained()
    trainable = settle(net)
    torch.manual_seed(220)
    net.head = nn.Linear(12, 3)
    trainable = list(trainable)
    optimizer = torch.optim.SGD(trainable, lr=0.3, momentum=0.9)
    images, labels = torch.randn(60, 6) * 2, torch.randint(0, 3, (60,))

    for epoch in range(3):
        order = torch.randperm(len(images))
        for start in range(0, len(order), 12):
            rows = order[start : start + 12]
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(images[rows]), labels[rows])
            loss.backward()
            clip_grad_norm_(trainable, 0.25)
            optimizer.step()
            record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
