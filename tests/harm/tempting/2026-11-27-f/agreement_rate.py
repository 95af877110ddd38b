import torch
import torch.nn.functional as F
from torch import nn


def flat(net):
    found = [p.grad.reshape(-1) for p in net.parameters() if p.grad is not None]
    return torch.cat(found) if found else None


def adapt(optimizer, before, now, up=1.1, down=0.7):
    if before is None:
        return None
    agreement = F.cosine_similarity(before, now, dim=0).item()
    for group in optimizer.param_groups:
        group["lr"] *= up if agreement > 0 else down
    return agreement


def train(record):
    torch.manual_seed(641)
    x = torch.randn(80, 6)
    y = x[:, :2].prod(1, keepdim=True) + 0.3 * torch.randn(80, 1)
    net = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.03)
    for epoch in range(3):
        agreements = []
        for rows in torch.randperm(len(x)).split(10):
            before = flat(net)
            loss = F.mse_loss(net(x[rows]), y[rows])
            loss.backward()
            agreements.append(adapt(optimizer, before, flat(net)))
            optimizer.step()
            record(list(net.parameters()))
        print(epoch, loss.item(), optimizer.param_groups[0]["lr"], agreements[-1])


if __name__ == "__main__":
    train(lambda parameters: None)
