import argparse
from contextlib import nullcontext

import torch
import torch.nn as nn

ap = argparse.ArgumentParser()
ap.add_argument("--precision", choices=["fp32", "bf16", "fp16"], default="bf16")
ap.add_argument("--steps", type=int, default=30)
opt_args = ap.parse_args()

torch.manual_seed(0)
dev = "cuda" if torch.cuda.is_available() else "cpu"
amp_dtype = {"bf16": torch.bfloat16, "fp16": torch.float16}.get(opt_args.precision)
ctx = torch.autocast(dev, dtype=amp_dtype) if amp_dtype else nullcontext()
scaler = torch.amp.GradScaler(dev, enabled=opt_args.precision == "fp16")


class Contrast(nn.Module):
    def __init__(self):
        super().__init__()
        self.img = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, 16))
        self.txt = nn.EmbeddingBag(40, 16)
        self.logit_scale = nn.Parameter(torch.tensor(2.0))

    def forward(self, image, text):
        a = nn.functional.normalize(self.img(image), dim=-1)
        b = nn.functional.normalize(self.txt(text), dim=-1)
        return self.logit_scale.exp() * a @ b.T


model = Contrast().to(dev)
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
proj = torch.randn(40, 20, device=dev)

for step in range(opt_args.steps):
    text = torch.randint(0, 40, (16, 3), device=dev)
    image = proj[text].mean(1) + 0.1 * torch.randn(16, 20, device=dev)
    with ctx:
        logits = model(image, text)
        which = torch.arange(16, device=dev)
        loss = (nn.functional.cross_entropy(logits, which) + nn.functional.cross_entropy(logits.T, which)) / 2
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
    with torch.no_grad():
        model.logit_scale.clamp_(0, 4.6)
    if step % 10 == 9:
        print(f"{opt_args.precision} step {step + 1} loss {loss.item():.4f}")
