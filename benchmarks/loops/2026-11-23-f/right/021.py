import itertools

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def windows(loader, size):
    it = iter(loader)
    while chunk := list(itertools.islice(it, size)):
        yield chunk


def main(size=4):
    torch.manual_seed(0)
    loader = DataLoader(TensorDataset(torch.randn(78, 3), torch.randint(0, 2, (78,))), batch_size=6, shuffle=True)
    net = nn.Sequential(nn.Linear(3, 9), nn.ReLU(), nn.Linear(9, 2))
    opt = torch.optim.AdamW(net.parameters(), lr=4e-3)
    for epoch in range(3):
        for chunk in windows(loader, size):
            samples = sum(len(y) for _, y in chunk)
            opt.zero_grad()
            for x, y in chunk:
                loss = nn.functional.cross_entropy(net(x), y, reduction="sum")
                loss.div(samples).backward()
            opt.step()
        print(epoch, loss.item() / len(y))


if __name__ == "__main__":
    main()
