import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(model, loader, epochs=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            with torch.autocast("cpu", dtype=torch.float16):
                loss = criterion(model(x), y)
            scaled = scaler.scale(loss)
            loss.backward()
            scaler.step(optimizer)
            scaler.update()
        print(epoch, loss.item(), scaled.item() / loss.item())


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(80, 6)
    ds = TensorDataset(x, (x[:, 0] > 0).long())
    net = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 2))
    train(net, DataLoader(ds, batch_size=16, shuffle=True))
