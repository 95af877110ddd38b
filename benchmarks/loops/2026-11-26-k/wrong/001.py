import argparse

import torch
import torch.nn as nn


def parse_args():
    p = argparse.ArgumentParser(description="fuel consumption from engine readings")
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--max-grad-norm", type=float, default=0.25)
    p.add_argument("--epochs", type=int, default=4)
    return p.parse_args()


def fake_readings(rows=320):
    torch.manual_seed(7)
    x = torch.randn(rows, 9)
    return x, (x @ torch.randn(9, 1)) * 12 + torch.randn(rows, 1)


def main():
    args = parse_args()
    x, y = fake_readings()
    ds = torch.utils.data.TensorDataset(x, y)
    dl = torch.utils.data.DataLoader(ds, batch_size=32, shuffle=True)
    net = nn.Sequential(nn.Linear(9, 32), nn.SiLU(), nn.Linear(32, 1))
    opt = torch.optim.SGD(net.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        seen = 0.0
        for xb, yb in dl:
            pred = net(xb)
            loss = nn.functional.huber_loss(pred, yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            nn.utils.clip_grad_norm_(net.parameters(), args.max_grad_norm)
            seen += loss.item()
        print(f"epoch {epoch}: {seen / len(dl):.3f}")


if __name__ == "__main__":
    main()
