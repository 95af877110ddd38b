import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train_big_batches(net, loader, opt, micro=8, epochs=2):
    loss_fn = nn.BCEWithLogitsLoss()
    for epoch in range(epochs):
        net.train()
        meter = 0.0
        for x, y in loader:
            opt.zero_grad()
            parts = list(zip(x.split(micro), y.split(micro)))
            for xm, ym in parts:
                loss = loss_fn(net(xm).squeeze(1), ym)
                loss.backward()
                meter += loss.item() / len(parts)
            opt.step()
        print(epoch, meter / len(loader))


if __name__ == "__main__":
    x = torch.randn(128, 9)
    y = (x.norm(dim=1) > 3).float()
    big = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
    model = nn.Sequential(nn.Linear(9, 18), nn.ReLU(), nn.Linear(18, 1))
    train_big_batches(model, big, torch.optim.SGD(model.parameters(), lr=0.1))
