import argparse
import os

import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader

from crnn.data import SynthText, collate
from crnn.model import CRNN


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--train_root", required=True)
    p.add_argument("--batch_size", type=int, default=64)
    p.add_argument("--lr", type=float, default=5e-4)
    p.add_argument("--nepoch", type=int, default=25)
    p.add_argument("--grad_clip", type=float, default=5)
    p.add_argument("--amp", action="store_true")
    p.add_argument("--save", default="expr")
    return p.parse_args()


def train(args):
    os.makedirs(args.save, exist_ok=True)
    loader = DataLoader(SynthText(args.train_root), args.batch_size, shuffle=True, collate_fn=collate, num_workers=4)
    model = CRNN(height=32, classes=37).cuda()
    optimizer = optim.Adam(model.parameters(), lr=args.lr, betas=(0.5, 0.999))
    criterion = nn.CTCLoss(zero_infinity=True).cuda()
    scaler = torch.cuda.amp.GradScaler() if args.amp else None
    for epoch in range(args.nepoch):
        model.train()
        for i, (image, text, length) in enumerate(loader):
            with torch.cuda.amp.autocast(enabled=args.amp):
                preds = model(image.cuda()).log_softmax(2)
                sizes = torch.full((image.size(0),), preds.size(0), dtype=torch.int32)
                cost = criterion(preds.float(), text.cuda(), sizes, length)
            optimizer.zero_grad()
            if scaler is not None:
                scaler.scale(cost).backward()
                scaler.unscale_(optimizer)
            else:
                cost.backward()
            nn.utils.clip_grad_norm_(model.parameters(), args.grad_clip)
            if scaler is None:
                optimizer.step()
            else:
                scaler.step(optimizer)
                scaler.update()
            if i % 100 == 0:
                print(f"[{epoch}/{args.nepoch}][{i}/{len(loader)}] loss {cost.item():.4f}")
        torch.save(model.state_dict(), f"{args.save}/netCRNN_{epoch}.pth")


if __name__ == "__main__":
    train(get_args())
