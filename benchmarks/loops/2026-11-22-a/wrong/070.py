import argparse
import math

import torch
from torch.utils.data import DataLoader

from tinystories.data import TokenBlocks
from tinystories.model import Llama, ModelArgs

parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=128)
parser.add_argument("--max_seq_len", type=int, default=256)
parser.add_argument("--lr", type=float, default=5e-4)
parser.add_argument("--epochs", type=int, default=1)
parser.add_argument("--warmup", type=int, default=1000)
args = parser.parse_args()

device = "cuda"
model = Llama(ModelArgs(dim=288, n_layers=6, n_heads=6, max_seq_len=args.max_seq_len)).to(device)
loader = DataLoader(TokenBlocks("train", args.max_seq_len), batch_size=args.batch_size, shuffle=True, pin_memory=True)
optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.1)
total = len(loader) * args.epochs


def lr_lambda(it):
    if it < args.warmup:
        return (it + 1) / args.warmup
    return 0.5 * (1 + math.cos(math.pi * (it - args.warmup) / max(1, total - args.warmup)))


scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lr_lambda)
scaler = torch.cuda.amp.GradScaler()
ctx = torch.amp.autocast(device_type="cuda", dtype=torch.bfloat16)

for epoch in range(args.epochs):
    model.train()
    for it, (x, y) in enumerate(loader):
        x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
        with ctx:
            loss = model(x, y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scheduler.step()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad(set_to_none=True)
        if it % 100 == 0:
            print(f"{epoch} {it}/{len(loader)} loss {loss.item():.4f}")
torch.save(model.state_dict(), "stories.pt")
