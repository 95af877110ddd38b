import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train_epoch(model, loader, optimizer, accum):
    model.train()
    losses = []
    for i, (x, y) in enumerate(loader, start=1):
        loss = nn.functional.cross_entropy(model(x), y)
        losses.append(loss.item())
        (loss / accum).backward()
        if i % accum == 0:
            optimizer.step()
            optimizer.zero_grad()
    if i % accum:
        optimizer.step()
        optimizer.zero_grad()
    return sum(losses) / len(losses)


def main():
    torch.manual_seed(101)
    pixels = torch.rand(190, 49)
    digits = (pixels[:, :7].sum(1) * 10 % 5).long()
    loader = DataLoader(TensorDataset(pixels, digits), batch_size=18, shuffle=True)
    model = nn.Sequential(nn.Linear(49, 32), nn.ReLU(), nn.Linear(32, 5))
    optimizer = torch.optim.NAdam(model.parameters(), lr=2e-3)
    for epoch in range(3):
        print(epoch, train_epoch(model, loader, optimizer, accum=4))


main()
