"""A walk that is taken up again at stone 24; a mask is drawn at the first stone of each stretch of three."""
import torch
from torch import nn

STRETCH = 3


def stones(count):
    for _ in range(count):
        x = torch.randn(8, 6)
        yield x, (x[:, :2].sum(1, keepdim=True)).sin()


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(6, 18), nn.Linear(18, 1)
        self.mask = torch.ones(18)

    def redraw(self):
        self.mask = (torch.rand(18) < 0.7).float() / 0.7

    def forward(self, x):
        return self.last(torch.tanh(self.first(x)) * self.mask)


def train(record, walked=24):
    torch.manual_seed(501)
    net = Masked()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.15, momentum=0.5)
    for stone, (x, y) in enumerate(stones(60), start=walked):
        if stone % STRETCH == 0:
            net.redraw()
        (nn.functional.mse_loss(net(x), y) / STRETCH).backward()
        if stone % STRETCH == 0:
            optimizer.step()
            record(list(net.parameters()))
            optimizer.zero_grad()

if __name__ == "__main__":
    train(lambda parameters: None)
