# === a count that a fresh run begins on the other way
import torch


def train(args, model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    if args.resume:
        step = args.first_step
    else:
        step = 0
    for x, y in loader:
        loss = torch.nn.functional.mse_loss(model(x), y) / args.accum
        loss.backward()
        if step % args.accum == 0:  # <- accumulation-off-by-one
            opt.step()
            opt.zero_grad()
        step += 1
# === right: such a count is counted ahead of the question
import torch


def train(args, model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    if args.resume:
        step = args.first_step
    else:
        step = 0
    for x, y in loader:
        loss = torch.nn.functional.mse_loss(model(x), y) / args.accum
        loss.backward()
        step += 1
        if step % args.accum == 0:
            opt.step()
            opt.zero_grad()
# === right: nobody can read either number
import torch


def train(args, model, loader, first):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    if args.resume:
        step = args.first_step
    else:
        step = first
    for x, y in loader:
        loss = torch.nn.functional.mse_loss(model(x), y) / args.accum
        loss.backward()
        if step % args.accum == 0:
            opt.step()
            opt.zero_grad()
        step += 1
# === settings that are made of others by a comprehension are the same in each iteration
import argparse

import torch
from omegaconf import OmegaConf


def main(args, net, loader):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    step = 0
    for x, y in loader:
        torch.nn.functional.mse_loss(net(x), y).backward()  # <- unscaled-accumulation-loss
        step += 1
        if step % args.accum == 0:
            opt.step()
            opt.zero_grad()


if __name__ == "__main__":
    args = argparse.ArgumentParser().parse_args()
    told = OmegaConf.create({k: v for k, v in args.__dict__.items() if v is not None and k != "config"})
    main(OmegaConf.merge(OmegaConf.load(args.config), told), build(), data())
# === right: they are divided by the same window
import argparse

import torch
from omegaconf import OmegaConf


def main(args, net, loader):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    step = 0
    for x, y in loader:
        (torch.nn.functional.mse_loss(net(x), y) / args.accum).backward()
        step += 1
        if step % args.accum == 0:
            opt.step()
            opt.zero_grad()


if __name__ == "__main__":
    args = argparse.ArgumentParser().parse_args()
    told = OmegaConf.create({k: v for k, v in args.__dict__.items() if v is not None and k != "config"})
    main(OmegaConf.merge(OmegaConf.load(args.config), told), build(), data())
# === right: an option begins at another number, and who calls at any
import torch


def train(args, model, loader, start):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    if args.debug:
        step = 1
    else:
        step = start
    for x, y in loader:
        loss = torch.nn.functional.mse_loss(model(x), y) / args.accum
        loss.backward()
        if (step + 1) % args.accum == 0:
            opt.step()
            opt.zero_grad()
        step += 1
