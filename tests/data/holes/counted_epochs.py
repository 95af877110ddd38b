# === right: epochs are counted from 1, as the option says
import argparse
import torch.nn.functional as F


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--start_epoch", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=9)
    parser.add_argument("--parts", type=int, default=4)
    return parser.parse_args()


def fit(net, loader, opt, epoch, args):
    for i, (x, y) in enumerate(loader):
        done = len(loader) * (epoch - 1) + i + 1
        (F.cross_entropy(net(x), y) / args.parts).backward()
        if done % args.parts == 0:
            opt.step()
            opt.zero_grad()


def main(net, loader, opt):
    args = options()
    for epoch in range(args.start_epoch, args.epochs + 1):
        fit(net, loader, opt, epoch, args)
# === epochs are counted from 1, and batches from 0
import argparse
import torch.nn.functional as F


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--start_epoch", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=9)
    parser.add_argument("--parts", type=int, default=4)
    return parser.parse_args()


def fit(net, loader, opt, epoch, args):
    for i, (x, y) in enumerate(loader):
        done = len(loader) * (epoch - 1) + i
        (F.cross_entropy(net(x), y) / args.parts).backward()
        if done % args.parts == 0:  # <- accumulation-off-by-one
            opt.step()
            opt.zero_grad()


def main(net, loader, opt):
    args = options()
    for epoch in range(args.start_epoch, args.epochs + 1):
        fit(net, loader, opt, epoch, args)
# === right: nobody says where the epochs begin, but below 0 is no count
import torch.nn.functional as F


def fit(net, loader, opt, epoch, args):
    for i, (x, y) in enumerate(loader):
        done = len(loader) * (epoch - 1) + i + 1
        (F.cross_entropy(net(x), y) / args.parts).backward()
        if done % args.parts == 0:
            opt.step()
            opt.zero_grad()


def main(net, loader, opt, args):
    for epoch in range(args.start_epoch, args.epochs + 1):
        fit(net, loader, opt, epoch, args)
# === nobody says where the epochs begin, and batches are counted from 0
import torch.nn.functional as F


def fit(net, loader, opt, epoch, args):
    for i, (x, y) in enumerate(loader):
        done = len(loader) * (epoch - 1) + i
        (F.cross_entropy(net(x), y) / args.parts).backward()
        if done % args.parts == 0:  # <- accumulation-off-by-one
            opt.step()
            opt.zero_grad()


def main(net, loader, opt, args):
    for epoch in range(args.start_epoch, args.epochs + 1):
        fit(net, loader, opt, epoch, args)
# === epochs are counted from 0 in a count that begins with 1
import argparse
import torch.nn.functional as F


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--start_epoch", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=9)
    parser.add_argument("--parts", type=int, default=4)
    return parser.parse_args()


def fit(net, loader, opt, epoch, args):
    for i, (x, y) in enumerate(loader):
        done = len(loader) * (epoch - 1) + i + 1
        (F.cross_entropy(net(x), y) / args.parts).backward()
        if done % args.parts == 0:  # <- accumulation-off-by-one
            opt.step()
            opt.zero_grad()


def main(net, loader, opt):
    args = options()
    for epoch in range(args.start_epoch, args.epochs + 1):
        fit(net, loader, opt, epoch, args)
# === right: a run goes on with the epoch that was kept
import argparse

import torch
import torch.nn.functional as F


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--start_epoch", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=9)
    parser.add_argument("--parts", type=int, default=4)
    return parser.parse_args()


def fit(net, loader, opt, epoch, args):
    for i, (x, y) in enumerate(loader):
        done = len(loader) * (epoch - 1) + i + 1
        (F.cross_entropy(net(x), y) / args.parts).backward()
        if done % args.parts == 0:
            opt.step()
            opt.zero_grad()


def main(net, loader, opt, kept):
    args = options()
    if kept:
        args.start_epoch = torch.load(kept)["epoch"] + 1
    for epoch in range(args.start_epoch, args.epochs + 1):
        fit(net, loader, opt, epoch, args)
