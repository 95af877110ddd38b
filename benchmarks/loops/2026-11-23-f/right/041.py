import torch
from torch import nn


def window_size(update):
    return 1 if update < 4 else 2 if update < 8 else 4


def main(updates=14):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 12), nn.ReLU(), nn.Linear(12, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    for u in range(updates):
        n = window_size(u)
        opt.zero_grad()
        shown = 0.0
        for _ in range(n):
            x = torch.randn(12, 3)
            loss = nn.functional.mse_loss(net(x), x.prod(1, keepdim=True)) / n
            loss.backward()
            shown += loss.item()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        if u % 4 == 0:
            print(u, n, shown)


if __name__ == "__main__":
    main()
