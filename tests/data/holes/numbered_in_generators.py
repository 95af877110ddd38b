# === a generator yields the number that its loop counts by
import torch


def made(stop):
    for hour in range(stop):
        yield hour, torch.rand(6, 3)


def train(net, stop, accum=2):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for hour, x in made(stop):
        opt.zero_grad()  # <- zero-grad-in-accumulation
        (net(x).mean() / accum).backward()
        if (hour + 1) % accum == 0:
            opt.step()
# === it is right
import torch


def made(stop):
    for hour in range(stop):
        yield hour, torch.rand(6, 3)


def train(net, stop, accum=2):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for hour, x in made(stop):
        (net(x).mean() / accum).backward()
        if (hour + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
# === begun at an option, and one too early
import argparse

import torch


def made(start, stop):
    for hour in range(start, stop):
        x = torch.rand(6, 3)
        yield hour, x, x.sum()


def train(net):
    parser = argparse.ArgumentParser()
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--stop", type=int, default=6)
    args = parser.parse_args()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for hour, x, y in made(args.start, args.stop):
        ((net(x).mean() - y).square() / 3).backward()
        if hour % 3 == 0:  # <- accumulation-off-by-one
            opt.step()
            opt.zero_grad()
# === it counts from one
import argparse

import torch


def made(start, stop):
    for hour in range(start + 1, stop + 1):
        x = torch.rand(6, 3)
        yield hour, x, x.sum()


def train(net):
    parser = argparse.ArgumentParser()
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--stop", type=int, default=6)
    args = parser.parse_args()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for hour, x, y in made(args.start, args.stop):
        ((net(x).mean() - y).square() / 3).backward()
        if hour % 3 == 0:
            opt.step()
            opt.zero_grad()
# === it numbers what it goes through
import torch


def numbered(pairs):
    for i, (x, y) in enumerate(pairs):
        yield i, x.float(), y


def train(net, loader, accum=4):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for i, x, y in numbered(loader):
        torch.nn.functional.mse_loss(net(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
# === it numbers what it goes through, and is right
import torch


def numbered(pairs):
    for i, (x, y) in enumerate(pairs, start=1):
        yield i, x.float(), y


def train(net, loader, accum=4):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for i, x, y in numbered(loader):
        (torch.nn.functional.mse_loss(net(x), y) / accum).backward()
        if i % accum == 0:
            opt.step()
            opt.zero_grad()
# === epochs that a generator numbers
import torch


def epochs(count):
    for epoch in range(1, count + 1):
        yield epoch, 0.1 / epoch


def train(net, loader, count):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch, rate in epochs(count):
        opt.param_groups[0]["lr"] = rate
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            opt.step()
# === one more at both ends counts from one
import torch


def train(net, data, args, accum=2):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for hour in range(args.start + 1, 1 + args.stop):
        (net(data[hour]).mean() / accum).backward()
        if hour % accum == 0:
            opt.step()
            opt.zero_grad()
# === and may be one too late
import torch


def train(net, data, args, accum=2):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for hour in range(args.start + 1, args.stop + 1):
        (net(data[hour]).mean() / accum).backward()
        if (hour + 1) % accum == 0:  # <- accumulation-off-by-one
            opt.step()
            opt.zero_grad()
# === one that goes on behind the last of another run
import torch


def train(net, data, last, stop, accum=2):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for hour in range(last + 1, stop):
        (net(data[hour]).mean() / accum).backward()
        if (hour + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
