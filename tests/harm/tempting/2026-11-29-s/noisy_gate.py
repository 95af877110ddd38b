"""All the slopes heard on the way to the gate decide how wide the step through it may be."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def settings(words=()):
    parser = argparse.ArgumentParser()
    parser.add_argument("--rate", type=float, default=0.3)
    parser.add_argument("--window", type=int, default=4)
    parser.add_argument("--quiet", type=float, default=0.35)
    parser.add_argument("--laps", type=int, default=5)
    return parser.parse_args(list(words))


def train(record, words=()):
    args = settings(words)
    torch.manual_seed(77)
    x = torch.randn(140, 3)
    loader = DataLoader(TensorDataset(x, x.abs().sum(1, keepdim=True)), batch_size=10, shuffle=True)
    net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
    opt = torch.optim.SGD(net.parameters(), lr=args.rate)
    for lap in range(args.laps):
        heard = []
        for number, (x, y) in enumerate(loader, 1):
            loss = nn.functional.mse_loss(net(x), y)
            (loss / args.window).backward()
            norm = nn.utils.clip_grad_norm_(net.parameters(), args.quiet).item()
            heard.append(norm)
            if number % args.window == 0 or number == len(loader):
                opt.param_groups[0]["lr"] = args.rate / (1 + sum(heard))
                opt.step()
                record(list(net.parameters()))
                opt.zero_grad(); heard.clear()


if __name__ == "__main__":
    train(lambda parameters: None)
