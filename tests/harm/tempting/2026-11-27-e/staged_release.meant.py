import torch
from torch import nn

STAGES = {"trunk": 0, "head": 1}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(3, 12), nn.GELU())
        self.head = nn.Linear(12, 1)

    def forward(self, x):
        return self.head(self.trunk(x))


def optimizers(net):
    trunk = torch.optim.SGD(net.trunk.parameters(), lr=0.05, momentum=0.9)
    head = torch.optim.SGD(net.head.parameters(), lr=0.05, weight_decay=0.01)
    return trunk, head


def train(record):
    torch.manual_seed(62)
    net = Net()
    trunk_opt, head_opt = optimizers(net)
    criterion = nn.SmoothL1Loss()
    for epoch in range(3):
        total = 0.0
        for _ in range(5):
            x = torch.randn(11, 3)
            y = x.prod(1, keepdim=True) + 1
            loss = criterion(net(x), y)
            loss.backward()
            trunk_opt.step()
            record(list(net.parameters()))
            if epoch >= STAGES["head"]:
                head_opt.step()
                record(list(net.parameters()))
            net.zero_grad()
            total += loss.item()
        print(f"{epoch} {total / 5:.5f}")


if __name__ == "__main__":
    train(lambda parameters: None)
