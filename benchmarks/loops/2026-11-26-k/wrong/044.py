import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

CONFIG = {"lr": 0.05, "window": 3, "epochs": 3, "batch": 12}


def build():
    torch.manual_seed(35)
    soil = torch.rand(144, 6)
    moisture = soil @ torch.tensor([[0.4], [0.1], [0.9], [-0.3], [0.0], [0.2]])
    return DataLoader(TensorDataset(soil, moisture), CONFIG["batch"], shuffle=True)


def fit(loader):
    net = nn.Sequential(nn.Linear(6, 12), nn.Softplus(), nn.Linear(12, 1))
    opt = torch.optim.SGD(net.parameters(), lr=CONFIG["lr"], momentum=0.9)
    for epoch in range(CONFIG["epochs"]):
        opt.zero_grad()
        for n, (s, m) in enumerate(loader, 1):
            loss = nn.functional.mse_loss(net(s), m)
            loss = loss / len(loader)
            loss.backward()
            if n % CONFIG["window"] == 0 or n == len(loader):
                opt.step()
                opt.zero_grad()
        print(f"epoch {epoch}: {loss.item() * len(loader):.5f}")


if __name__ == "__main__":
    fit(build())
