import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def loop(model, loader, optimizer, accum, epochs):
    criterion = nn.TripletMarginLoss(margin=0.5)
    optimizer.zero_grad()
    for epoch in range(epochs):
        for i, (a, p, n) in enumerate(loader):
            loss = criterion(model(a), model(p), model(n)) / accum
            loss.backward()
            if (i + 1) % accum == 0 or i == len(loader) - 1:
                model.zero_grad()
                optimizer.step()
        print(epoch, loss.item() * accum)


def main():
    torch.manual_seed(52)
    anchor = torch.randn(120, 16)
    positive = anchor + 0.2 * torch.randn_like(anchor)
    negative = torch.randn(120, 16)
    loader = DataLoader(TensorDataset(anchor, positive, negative), batch_size=12)
    model = nn.Sequential(nn.Linear(16, 24), nn.ReLU(), nn.Linear(24, 8))
    loop(model, loader, torch.optim.Adam(model.parameters(), lr=1e-3), accum=3, epochs=3)


if __name__ == "__main__":
    main()
