import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def get_args():
    parser = argparse.ArgumentParser("fine-tuning")
    parser.add_argument("--accum_iter", type=int, default=4)
    parser.add_argument("--batch_size", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--clip_grad", type=float, default=3.0)
    return parser.parse_args()


class SE(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.fc = nn.Sequential(nn.Linear(c, c // 2), nn.ReLU(), nn.Linear(c // 2, c), nn.Sigmoid())

    def forward(self, x):
        return x * self.fc(x.mean((2, 3)))[..., None, None]


def build():
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), SE(8),
        nn.Conv2d(8, 8, 3, stride=2, padding=1), nn.ReLU(), SE(8),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 3),
    )


def main(args):
    torch.manual_seed(0)
    y = torch.randint(0, 3, (192,))
    x = 0.5 * torch.randn(192, 3, 8, 8)
    x[torch.arange(192), y] += 1.0
    data_loader = DataLoader(TensorDataset(x, y), batch_size=args.batch_size, shuffle=True)
    model = build()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss()

    for epoch in range(args.epochs):
        model.train()
        optimizer.zero_grad()
        for it, (samples, targets) in enumerate(data_loader, 1):
            loss = criterion(model(samples), targets) / args.accum_iter
            loss.backward()
            if (it + 1) % args.accum_iter == 0 or it == len(data_loader):
                nn.utils.clip_grad_norm_(model.parameters(), args.clip_grad)
                optimizer.step()
                optimizer.zero_grad()
            if it % 8 == 0:
                print(f"Epoch [{epoch}] [{it}/{len(data_loader)}] loss {loss.item() * args.accum_iter:.4f}")


if __name__ == "__main__":
    main(get_args())
