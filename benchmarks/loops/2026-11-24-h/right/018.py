import argparse
from contextlib import nullcontext

import torch
import torch.nn.functional as F

parser = argparse.ArgumentParser()
parser.add_argument("--dtype", choices=["float32", "bfloat16", "float16"], default="bfloat16")
parser.add_argument("--gradient-accumulation-steps", type=int, default=3)
parser.add_argument("--max-iters", type=int, default=8)
parser.add_argument("--grad-clip", type=float, default=1.0)
opts = parser.parse_args()

device_type = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(1337)
ptdtype = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}[opts.dtype]
ctx = nullcontext() if opts.dtype == "float32" else torch.amp.autocast(device_type=device_type, dtype=ptdtype)
data = torch.randint(0, 32, (3000,))


def get_batch(bs=8, block=10):
    ix = torch.randint(len(data) - block - 1, (bs,))
    x = torch.stack([data[i:i + block] for i in ix])
    y = torch.stack([data[i + 1:i + block + 1] for i in ix])
    return x.to(device_type), y.to(device_type)


class Bigram(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = torch.nn.Embedding(32, 24)
        self.mix = torch.nn.Linear(24, 24)
        self.out = torch.nn.Linear(24, 32)

    def forward(self, x, y):
        logits = self.out(torch.tanh(self.mix(self.emb(x))))
        return F.cross_entropy(logits.view(-1, 32), y.view(-1))


model = Bigram().to(device_type)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler(device_type, enabled=(opts.dtype == "float16"))
X, Y = get_batch()
iter_num = 0
while True:
    for micro_step in range(opts.gradient_accumulation_steps):
        with ctx:
            loss = model(X, Y) / opts.gradient_accumulation_steps
        X, Y = get_batch()
        scaler.scale(loss).backward()
    if opts.grad_clip != 0.0:
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), opts.grad_clip)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
    if iter_num % 4 == 0:
        print(f"iter {iter_num}: loss {loss.item() * opts.gradient_accumulation_steps:.4f}")
    iter_num += 1
    if iter_num > opts.max_iters:
        break
