import torch
from torch import nn


def noisy_batch(i):
    x = torch.randn(16, 4)
    if i % 7 == 3:
        x[0, 0] = float("nan")
    return x, x.mean(1, keepdim=True)


def main():
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    skipped = 0
    for i in range(30):
        x, y = noisy_batch(i)
        optimizer.zero_grad()
        loss = nn.functional.l1_loss(net(x), y)
        if not torch.isfinite(loss):
            skipped += 1
            continue
        loss.backward()
        norm = nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        if torch.isnan(norm):
            optimizer.zero_grad()
            skipped += 1
            continue
        optimizer.step()
    print("skipped", skipped, "loss", loss.item())


if __name__ == "__main__":
    main()
