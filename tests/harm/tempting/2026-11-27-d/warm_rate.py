import math

import torch
import torch.nn.functional as F
from torch import nn

CFG = dict(epochs=2, accum=4, lr=0.4, warm=6, batch=8)


def rate(i, total):
    if i < CFG["warm"]:
        return CFG["lr"] * (i + 1) / CFG["warm"]
    return CFG["lr"] * 0.5 * (1 + math.cos(math.pi * i / total))


def train(record):
    torch.manual_seed(38)
    x = torch.randn(112, 4)
    y = (x[:, :2].prod(1, keepdim=True)).tanh()
    batches = list(zip(x.split(CFG["batch"]), y.split(CFG["batch"])))
    net = nn.Sequential(nn.Linear(4, 24), nn.Tanh(), nn.Linear(24, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=CFG["lr"])
    for epoch in range(CFG["epochs"]):
        for i, (xb, yb) in enumerate(batches):
            for group in optimizer.param_groups:
                group["lr"] = rate(i, len(batches))
            loss = F.mse_loss(net(xb), yb)
            (loss / CFG["accum"]).backward()
            if i % CFG["accum"] == 0 or i + 1 == len(batches):
                optimizer.step()
                record(list(net.parameters()))
                optimizer.zero_grad()
            if i % 5 == 0:
                print(f"{epoch}:{i} {loss.item():.4f}")


if __name__ == "__main__":
    train(lambda parameters: None)
