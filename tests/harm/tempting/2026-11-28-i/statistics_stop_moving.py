"""From the third epoch on the batch norms keep their statistics, as in many detection recipes."""
import torch
from torch import nn

FREEZE_AT = 2


def conv_block(i, o):
    return nn.Sequential(nn.Conv1d(i, o, 3, padding=1), nn.BatchNorm1d(o), nn.ReLU())


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(conv_block(1, 6), conv_block(6, 6))
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(6, 2)

    def forward(self, x):
        return self.head(self.drop(self.body(x).mean(-1)))

    def hold_statistics(self):
        for module in self.modules():
            if isinstance(module, nn.BatchNorm1d):
                module.eval()


def waves(n, generator):
    label = torch.randint(0, 2, (n,), generator=generator)
    t = torch.linspace(0, 6.28, 20)
    phase = 6.28 * torch.rand(n, 1, generator=generator)
    return torch.sin((1 + label[:, None]) * t + phase)[:, None], label


def train(record):
    torch.manual_seed(5)
    net = Net()
    net.train()
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    generator = torch.Generator().manual_seed(9)
    for epoch in range(5):
        if epoch == FREEZE_AT:
            net.hold_statistics()
        for _ in range(6):
            x, y = waves(24, generator)
            opt.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            opt.step()
            record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
