import argparse

import lightning as L
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from depth.data import KittiDepth
from depth.losses import silog
from depth.net import DPT


def main(args):
    fabric = L.Fabric(accelerator="cuda", devices=4, strategy="ddp", precision="bf16-mixed")
    fabric.launch()
    model = DPT(args.encoder)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    model, optimizer = fabric.setup(model, optimizer)
    train = DataLoader(KittiDepth(args.root), batch_size=args.batch_size, shuffle=True, num_workers=8)
    train = fabric.setup_dataloaders(train)
    n = len(train)

    for epoch in range(args.epochs):
        model.train()
        for i, (rgb, depth) in enumerate(train):
            pred = model(rgb)
            pred = F.interpolate(pred, depth.shape[-2:], mode="bilinear", align_corners=False)
            loss = silog(pred, depth)
            fabric.backward(loss / args.accumulate)
            if (i + 1) % args.accumulate == 0 or i + 1 == n:
                fabric.clip_gradients(model, optimizer, max_norm=1.0)
                optimizer.step()
                optimizer.zero_grad()
            if i % 100 == 0:
                fabric.print(f"epoch {epoch} [{i}/{n}] {loss.item():.4f}")
        fabric.save(f"depth-{epoch}.ckpt", {"model": model})


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", default="/data/kitti")
    parser.add_argument("--encoder", default="vitl")
    parser.add_argument("--lr", type=float, default=5e-6)
    parser.add_argument("--batch_size", type=int, default=2)
    parser.add_argument("--accumulate", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=25)
    main(parser.parse_args())
