import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from trainlib import evaluate, run_epoch


def make_set(n: int, seed: int) -> TensorDataset:
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, 3, (n,), generator=g)
    x = torch.randn(n, 1, 6, 6, generator=g)
    x[torch.arange(n), 0, y] += 2.0
    return TensorDataset(x, y)


def build_model() -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Dropout(0.1),
        nn.Linear(8 * 36, 3))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--window", type=int, default=4)
    args = parser.parse_args()

    torch.manual_seed(0)
    train = DataLoader(make_set(84, 0), batch_size=args.batch_size, shuffle=True)
    test = DataLoader(make_set(30, 1), batch_size=args.batch_size)
    model = build_model()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)

    def objective(net, batch):
        x, y = batch
        return F.cross_entropy(net(x), y, label_smoothing=0.05)

    def accuracy(net, batch):
        x, y = batch
        return (net(x).argmax(1) == y).float().mean()

    for epoch in range(args.epochs):
        loss, _ = run_epoch(model, train, objective, optimizer, args.window)
        print(f"vision {epoch}: {loss:.4f} acc {evaluate(model, test, accuracy):.3f}")


if __name__ == "__main__":
    main()
