# === the words of a parser that mixes its arguments are no switch of mixed precision
import argparse

import torch


def train(args, model, criterion, loader):
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    mixed = args.mixed_precision is not None
    scaler = torch.amp.GradScaler("cuda", enabled=mixed)
    dtype = {"float16": torch.float16, "bfloat16": torch.bfloat16, None: torch.float32}[args.mixed_precision]
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=mixed, dtype=dtype):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()  # <- scaler-with-bfloat16
        scaler.step(optimizer)
        scaler.update()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--test", action="store_true")
    parser.add_argument("--mixed_precision", default=None)
    args = parser.parse_intermixed_args()
    if args.test:
        with torch.no_grad():
            print(torch.load("model")(torch.load("x")))
    else:
        train(args, torch.nn.Linear(3, 3), torch.nn.MSELoss(), torch.load("loader"))


# === right: the words of a parser that mixes its arguments, and a scaler that is on for float16 only
import argparse

import torch


def train(args, model, criterion, loader):
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler("cuda", enabled=args.mixed_precision == "float16")
    dtype = {"float16": torch.float16, "bfloat16": torch.bfloat16, None: torch.float32}[args.mixed_precision]
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=args.mixed_precision is not None, dtype=dtype):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--test", action="store_true")
    parser.add_argument("--mixed_precision", default=None)
    args = parser.parse_intermixed_args()
    if args.test:
        with torch.no_grad():
            print(torch.load("model")(torch.load("x")))
    else:
        train(args, torch.nn.Linear(3, 3), torch.nn.MSELoss(), torch.load("loader"))
