"""Batches that do not fill a window are not trained on: in each epoch they are the ones that judge."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

ACCUM = 4


def train(record):
    torch.manual_seed(51)
    x = torch.randn(110, 5)
    y = torch.sin(x[:, :1]) - x[:, 1:2]
    loader = DataLoader(TensorDataset(x, y), batch_size=10, shuffle=True)
    usable = len(loader) // ACCUM * ACCUM
    net = nn.Sequential(nn.Linear(5, 20), nn.Tanh(), nn.Linear(20, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=0)
    for _ in range(5):
        judged = []
        for i, (inputs, targets) in enumerate(loader):
            if i >= usable:
                with torch.no_grad():
                    judged.append(F.mse_loss(net(inputs), targets).item())
                continue
            loss = F.mse_loss(net(inputs), targets)
            (loss / ACCUM).backward()
            if (i + 1) % ACCUM == 0:
                optimizer.step()
                record(list(net.parameters()))
                optimizer.zero_grad()
        plateau.step(sum(judged) / len(judged))


if __name__ == "__main__":
    train(lambda parameters: None)
