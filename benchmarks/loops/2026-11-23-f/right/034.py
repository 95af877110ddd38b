import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

GRAD_ACCUM = 4
BATCH = 6


def whole_windows(ds):
    usable = len(ds) // (BATCH * GRAD_ACCUM) * (BATCH * GRAD_ACCUM)
    return torch.utils.data.Subset(ds, range(usable))


def main():
    torch.manual_seed(0)
    ds = TensorDataset(torch.randn(110, 5), torch.randint(0, 3, (110,)))
    loader = DataLoader(whole_windows(ds), batch_size=BATCH, shuffle=True)
    net = nn.Sequential(nn.Linear(5, 15), nn.ReLU(), nn.Linear(15, 3))
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(3):
        for i, (x, y) in enumerate(loader):
            loss = nn.functional.cross_entropy(net(x), y)
            (loss / GRAD_ACCUM).backward()
            if (i + 1) % GRAD_ACCUM == 0:
                opt.step()
                opt.zero_grad()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()
