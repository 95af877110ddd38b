import argparse

import torch
import torch.nn as nn
from monai.data import CacheDataset, DataLoader
from monai.losses import DiceCELoss
from monai.networks.nets import SwinUNETR
from torch.cuda.amp import GradScaler, autocast

from brats import datalist, train_transforms


def main(args):
    ds = CacheDataset(datalist(args.json, "training"), train_transforms(args.roi), cache_rate=0.2)
    loader = DataLoader(ds, batch_size=1, shuffle=True, num_workers=4)
    model = SwinUNETR(args.roi, in_channels=4, out_channels=3, feature_size=48, use_checkpoint=True).cuda()
    criterion = DiceCELoss(sigmoid=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-5)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs)
    scaler = GradScaler()
    n = args.accumulate
    for epoch in range(args.epochs):
        model.train()
        optimizer.zero_grad()
        for i, batch in enumerate(loader):
            with autocast():
                loss = criterion(model(batch["image"].cuda()), batch["label"].cuda())
            scaler.scale(loss / n).backward()
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), args.clip)
            if (i + 1) % n == 0 or (i + 1) == len(loader):
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad()
            if i % 20 == 0:
                print(f"{epoch} {i} {loss.item():.4f}")
        scheduler.step()
        torch.save(model.state_dict(), f"{args.out}/swin_{epoch}.pt")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", default="brats21.json")
    parser.add_argument("--roi", type=int, nargs=3, default=(96, 96, 96))
    parser.add_argument("--lr", type=float, default=1e-4)
    parser.add_argument("--clip", type=float, default=12.0)
    parser.add_argument("--accumulate", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=300)
    parser.add_argument("--out", default="runs")
    main(parser.parse_args())
