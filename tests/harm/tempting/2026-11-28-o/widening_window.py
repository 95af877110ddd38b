"""The batch grows by accumulation instead of the rate falling."""
import torch
from torch import nn

FIRST_WINDOW = 2
GROWS_AT = (3, 5)


def window_of(epoch):
    return FIRST_WINDOW * 2 ** sum(epoch >= at for at in GROWS_AT)


class Spirals(torch.utils.data.Dataset):
    def __init__(self, n):
        t = torch.rand(n) * 6
        self.arm = torch.randint(0, 2, (n,))
        turn = t + self.arm * 3.1416
        self.xy = torch.stack([t * turn.cos(), t * turn.sin()], dim=1) / 6

    def __len__(self):
        return len(self.arm)

    def __getitem__(self, i):
        return self.xy[i], self.arm[i]


def train(record):
    torch.manual_seed(77)
    loader = torch.utils.data.DataLoader(Spirals(160), batch_size=10, shuffle=True)
    net = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 2))
    opt = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
    for epoch in range(7):
        window = window_of(epoch)
        opt.zero_grad()
        for i, (xy, arm) in enumerate(loader):
            loss = nn.functional.cross_entropy(net(xy), arm)
            (loss / FIRST_WINDOW).backward()
            if (i + 1) % window == 0 or i + 1 == len(loader):
                opt.step()
                record(list(net.parameters()))
                opt.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
