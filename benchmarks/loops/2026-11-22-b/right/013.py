import argparse
from contextlib import nullcontext

import torch
from torch import nn
from torch.cuda.amp import GradScaler, autocast

from video.data import clip_loader
from video.model import r2plus1d


def backward(loss, scaler):
    if scaler is None:
        loss.backward()
    else:
        scaler.scale(loss).backward()


def update(optimizer, params, scaler, max_norm):
    if scaler is not None:
        scaler.unscale_(optimizer)
    if max_norm is not None:
        nn.utils.clip_grad_norm_(params, max_norm)
    if scaler is None:
        optimizer.step()
    else:
        scaler.step(optimizer)
        scaler.update()
    optimizer.zero_grad()


def train_one_epoch(model, params, criterion, optimizer, schedule, loader, device, args, scaler):
    model.train()
    total = 0.0
    for clips, target in loader:
        clips, target = clips.to(device), target.to(device)
        with autocast() if scaler is not None else nullcontext():
            loss = criterion(model(clips), target)
        backward(loss, scaler)
        update(optimizer, params, scaler, args.clip)
        schedule.step()
        total += loss.item()
    return total / len(loader)


def main(args):
    device = torch.device(args.device)
    loader = clip_loader(args.data, args.batch)
    model = r2plus1d(args.classes).to(device)
    params = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(params, lr=args.lr, momentum=0.9, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, args.lr, total_steps=args.epochs * len(loader))
    scaler = GradScaler() if args.amp else None
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    for epoch in range(args.epochs):
        loss = train_one_epoch(
            model, params, criterion, optimizer, schedule, loader, device, args, scaler
        )
        print(epoch, loss)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--classes", type=int, default=400)
    parser.add_argument("--batch", type=int, default=24)
    parser.add_argument("--lr", type=float, default=0.01)
    parser.add_argument("--epochs", type=int, default=45)
    parser.add_argument("--clip", type=float, default=None)
    parser.add_argument("--amp", action="store_true")
    main(parser.parse_args())
