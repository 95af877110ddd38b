import argparse

import torch
from torch.nn.utils import clip_grad_norm_

from depth.data import KittiStream
from depth.model import DepthNet
from depth.losses import SILogLoss, smoothness


def forward_passes(model, stream, silog, device):
    """Runs the model over the stream, hands out the loss of each batch."""
    for sample in stream:
        image = sample["image"].to(device, non_blocking=True)
        depth = sample["depth"].to(device, non_blocking=True)
        with torch.autocast(device_type=device, dtype=torch.bfloat16):
            pred = model(image)
            valid = depth > 1e-3
            loss = silog(pred[valid], depth[valid]) + 1e-3 * smoothness(pred, image)
            yield loss


class Ramp:
    def __init__(self, optimizer, peak, steps):
        self.optimizer, self.peak, self.steps = optimizer, peak, steps
        self.n = 0

    def advance(self):
        self.n += 1
        lr = self.peak * min(1.0, self.n / self.steps)
        for group in self.optimizer.param_groups:
            group["lr"] = lr


def main(args):
    device = "cuda"
    model = DepthNet(backbone=args.backbone).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.1)
    ramp = Ramp(optimizer, args.lr, args.warmup)
    silog = SILogLoss(0.85)
    model.train()
    ramp.advance()
    losses = forward_passes(model, KittiStream(args.root, args.batch), silog, device)
    for step, loss in enumerate(losses):
        optimizer.zero_grad()
        loss.backward()
        clip_grad_norm_(model.parameters(), 0.1)
        optimizer.step()
        ramp.advance()
        if step % 100 == 0:
            print(step, loss.item())
        if step == args.steps:
            break
    torch.save(model.state_dict(), args.out)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("--backbone", default="swin_l")
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--lr", type=float, default=1e-4)
    parser.add_argument("--warmup", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=60_000)
    parser.add_argument("--out", default="depth.pt")
    main(parser.parse_args())
