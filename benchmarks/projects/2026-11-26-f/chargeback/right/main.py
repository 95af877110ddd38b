import tomllib

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import strategies  # noqa: F401
from context import Context
from losses import build_loss
from registry import STRATEGIES


def payments(data):
    g = torch.Generator().manual_seed(data["seed"])
    x = torch.randn(data["rows"], 8, generator=g)
    y = ((x[:, 0] + x[:, 1] * x[:, 2]) > 0.8).float()
    return DataLoader(TensorDataset(x, y), data["batch_size"], shuffle=True, generator=g)


def main():
    with open("config.toml", "rb") as f:
        config = tomllib.load(f)
    train = config["train"]
    torch.manual_seed(config["data"]["seed"])
    net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=train["lr"], momentum=0.9)
    ctx = Context(net, optimizer, payments(config["data"]), build_loss(train), train["window"])
    run_epoch = STRATEGIES[train["strategy"]]
    for epoch in range(train["epochs"]):
        net.train()
        print(epoch, f"{run_epoch(ctx):.4f}")


if __name__ == "__main__":
    main()
