"""Two tasks take turns, epoch by epoch, on one set of weights and one rate."""
import torch
from torch import nn
from torch.optim.lr_scheduler import MultiStepLR


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.base = nn.Linear(6, 14)
        self.number = nn.Linear(14, 1)
        self.label = nn.Linear(14, 4)

    def forward(self, x, head):
        return getattr(self, head)(torch.relu(self.base(x)))


def walk(net, opt, head, criterion, data, record):
    for x, y in data:
        opt.zero_grad()
        criterion(net(x, head), y).backward()
        opt.step()
        record(list(net.parameters()))


def train(record):
    torch.manual_seed(121)
    net = Shared()
    opt = torch.optim.SGD(net.parameters(), lr=0.2)
    rate = MultiStepLR(opt, milestones=[2, 3, 6], gamma=0.4)
    x = torch.randn(5, 12, 6)
    numbers = [(part, part.mean(1, keepdim=True)) for part in x]
    labels = [(part, part[:, :4].argmax(1)) for part in x]
    for epoch in range(8):
        if epoch % 2 == 1:
            walk(net, opt, "label", nn.CrossEntropyLoss(), labels, record)
            rate.step()
            continue
        walk(net, opt, "number", nn.MSELoss(), numbers, record)
        rate.step()
        # numbers alone pull the base towards zero
        with torch.no_grad():
            net.base.bias.clamp_(-0.5, 0.5)


if __name__ == "__main__":
    train(lambda parameters: None)
