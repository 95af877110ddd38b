import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Window:
    def __init__(self, size, total):
        self.size, self.total = size, total

    def opens(self, i):
        return i % self.size == 0

    def closes(self, i):
        return i % self.size == self.size - 1 or i == self.total - 1


def run(net, loader, opt, epochs):
    win = Window(4, len(loader))
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            if win.opens(i):
                opt.zero_grad()
            loss = nn.functional.mse_loss(net(x), y)
            (loss / win.size).backward()
            if win.closes(i):
                nn.utils.clip_grad_norm_(net.parameters(), 3.0)
                opt.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(84, 4)
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    loader = DataLoader(TensorDataset(x, x[:, :1] * x[:, 1:2]), batch_size=6, shuffle=True)
    run(net, loader, torch.optim.Adam(net.parameters(), lr=5e-3), 3)
