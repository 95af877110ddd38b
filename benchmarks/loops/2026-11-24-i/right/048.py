import torch
from torch import nn


def main(steps=20, check=5):
    torch.manual_seed(48)
    net = nn.Sequential(nn.Linear(4, 12), nn.BatchNorm1d(12), nn.ReLU(), nn.Linear(12, 2))
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    xv = torch.randn(20, 4)
    for step in range(steps):
        net.train()
        x = torch.randn(16, 4)
        loss = nn.functional.cross_entropy(net(x), (x[:, 3] > 0).long())
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % check == check - 1:
            net.eval()
            with torch.no_grad():
                acc = (net(xv).argmax(1) == (xv[:, 3] > 0).long()).float().mean()
            print(step, acc.item())


main()
