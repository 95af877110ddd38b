import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    net = nn.Sequential(nn.Linear(4, 12), nn.Tanh(), nn.Linear(12, 3))
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    ds = TensorDataset(torch.randn(60, 4), torch.randint(0, 3, (60,)))
    loader = DataLoader(ds, batch_size=10, shuffle=True)
    every = 3
    for epoch in range(3):
        window, shown = [], []
        for i, (x, y) in enumerate(loader, 1):
            window.append(nn.functional.cross_entropy(net(x), y))
            if i % every == 0 or i == len(loader):
                loss = torch.stack(window).mean()
                opt.zero_grad()
                loss.backward()
                opt.step()
                shown.append(loss.item())
                window.clear()
        print(epoch, sum(shown) / len(shown))


if __name__ == "__main__":
    main()
