import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(140)
    epochs, accum = 3, 4
    signal = torch.randn(150, 24)
    label = (signal[:, :12].mean(1) > signal[:, 12:].mean(1)).long()
    loader = DataLoader(TensorDataset(signal, label), batch_size=15, shuffle=True)
    net = nn.Sequential(nn.Linear(24, 32), nn.ReLU(), nn.Linear(32, 2))
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    scheduler = OneCycleLR(opt, max_lr=0.3, epochs=epochs, steps_per_epoch=len(loader), cycle_momentum=False)
    opt.zero_grad()
    for epoch in range(epochs):
        for i, (s, y) in enumerate(loader):
            loss = nn.functional.cross_entropy(net(s), y)
            (loss / accum).backward()
            if (i + 1) % accum == 0 or i + 1 == len(loader):
                opt.step()
                opt.zero_grad()
            scheduler.step()
        print(epoch, loss.item(), scheduler.get_last_lr()[0])


if __name__ == "__main__":
    main()
