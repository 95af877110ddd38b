import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=30)
parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
args = parser.parse_args()

teacher = nn.Linear(10, 4).to(args.device).requires_grad_(False)
student = nn.Sequential(nn.Linear(10, 6), nn.ReLU(), nn.Linear(6, 4)).to(args.device)
opt = torch.optim.AdamW(student.parameters(), lr=4e-3)
scaler = torch.amp.GradScaler(args.device)

for step in range(args.steps):
    x = torch.randn(64, 10, device=args.device)
    with torch.autocast(args.device, dtype=torch.bfloat16):
        loss = nn.functional.kl_div(student(x).log_softmax(1), teacher(x).softmax(1), reduction="batchmean")
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    if step % 10 == 9:
        print(step + 1, f"{loss.item():.5f}")
