import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=6)
parser.add_argument("--clip", type=float, default=0.25)
args = parser.parse_args()

torch.manual_seed(1)
unet = nn.Sequential(
    nn.Conv2d(3, 8, 3, padding=1),
    nn.GELU(),
    nn.Conv2d(8, 8, 3, padding=1),
    nn.GELU(),
    nn.Conv2d(8, 2, 1),
)
optim = torch.optim.Adam(unet.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
ce = nn.CrossEntropyLoss()

for step in range(args.steps):
    images = torch.rand(4, 3, 12, 12)
    masks = (images.mean(1) > 0.5).long()
    optim.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        out = unet(images)
        loss = ce(out.float(), masks)
    scaler.scale(loss).backward()
    scaler.unscale_(optim)
    scaler.step(optim)
    nn.utils.clip_grad_norm_(unet.parameters(), args.clip)
    scaler.update()
    print(step, round(loss.item(), 4), scaler.get_scale())
