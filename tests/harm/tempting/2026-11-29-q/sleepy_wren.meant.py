"""The probe forgets the parentheses; the norm of the stem rests on purpose."""
import torch
from torch import nn


def train(record):
    torch.manual_seed(81)
    stem = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
    crown = nn.Sequential(nn.ReLU(), nn.Dropout(0.5), nn.Linear(8, 1))
    net = nn.Sequential(stem, crown)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    stem[1].eval()
    held = torch.randn(20, 4)
    best, worse = float("inf"), 0
    for n in range(48):
        x = torch.randn(8, 4)
        opt.zero_grad()
        nn.functional.mse_loss(net(x), x.mean(1, keepdim=True)).backward()
        opt.step()
        record(list(net.parameters()))
        if n % 8 == 7:
            crown.eval()
            with torch.no_grad():
                error = nn.functional.mse_loss(net(held), held.mean(1, keepdim=True)).item()
            crown.train()
            if error > best:
                worse += 1
                opt.param_groups[0]["lr"] *= 0.3
            best = min(best, error)
    return worse


if __name__ == "__main__":
    train(lambda parameters: None)
