import argparse
import torch
from torch import nn

cli = argparse.ArgumentParser()
cli.add_argument("--clip-mode", choices=["norm", "value", "none"], default="value")
cli.add_argument("--clip", type=float, default=0.2)
opts = cli.parse_args()

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(11, 22), nn.Hardswish(), nn.Linear(22, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
warmup = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.2, total_iters=8)
scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
for step in range(16):
    x = torch.randn(14, 11)
    with torch.autocast("cpu", dtype=torch.float16):
        loss = nn.functional.mse_loss(model(x), x[:, :1].half())
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    if opts.clip_mode == "norm":
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), opts.clip)
    elif opts.clip_mode == "value":
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_value_(model.parameters(), opts.clip)
    scaler.step(optimizer)
    warmup.step()
    scaler.update()
print(loss.item(), warmup.get_last_lr())
