import argparse
import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--dtype", choices=["bfloat16", "float16"], default="bfloat16")
args = parser.parse_args()
dtype = getattr(torch, args.dtype)

torch.manual_seed(0)
model = nn.TransformerEncoderLayer(16, 4, 32, dropout=0.0, batch_first=True)
out = nn.Linear(16, 5)
params = [*model.parameters(), *out.parameters()]
opt = torch.optim.AdamW(params, lr=2e-3)
scaler = torch.amp.GradScaler("cpu", enabled=dtype == torch.float16)
for step in range(8):
    x, y = torch.randn(6, 10, 16), torch.randint(0, 5, (6, 10))
    opt.zero_grad()
    with torch.autocast("cpu", dtype=dtype):
        loss = nn.functional.cross_entropy(out(model(x)).float().transpose(1, 2), y)
    scaler.scale(loss).backward()
    if scaler.is_enabled():
        scaler.unscale_(opt)
    nn.utils.clip_grad_norm_(params, 1.0)
    scaler.step(opt)
    scaler.update()
print(args.dtype, loss.item())
