import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--precision", choices=["fp32", "bf16", "fp16"], default="bf16")
parser.add_argument("--steps", type=int, default=24)
parser.add_argument("--accum", type=int, default=3)
args = parser.parse_args([])

DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}
dtype = DTYPES[args.precision]
torch.manual_seed(0)


class TinyViT(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.patch = nn.Linear(4, d)
        self.block = nn.TransformerEncoderLayer(d, 2, 32, dropout=0.0, batch_first=True)
        self.cls = nn.Linear(d, 3)

    def forward(self, img):
        patches = img.unfold(1, 2, 2).unfold(2, 2, 2).flatten(3).flatten(1, 2)
        return self.cls(self.block(self.patch(patches)).mean(1))


vit = TinyViT()
opt = torch.optim.AdamW(vit.parameters(), lr=2e-3)
scaler = torch.amp.GradScaler("cpu", enabled=dtype is torch.float16)
amp = torch.autocast("cpu", dtype=dtype, enabled=dtype is not torch.float32)

for it in range(args.steps):
    img = torch.rand(8, 8, 8)
    label = img.mean((1, 2)).mul(40).long() % 3
    with amp:
        loss = nn.functional.cross_entropy(vit(img), label) / args.accum
    scaler.scale(loss).backward()
    if (it + 1) % args.accum != 0:
        continue
    scaler.unscale_(opt)
    nn.utils.clip_grad_norm_(vit.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()
    opt.zero_grad(set_to_none=True)
    print(it, loss.item() * args.accum)
