import math
import os

import numpy as np
import torch

from gpt import GPT, GPTConfig

data_dir = "data/recipes"
out_dir = "out"
max_steps = 60_000
batch_size = 12
block_size = 1024
grad_accum = 8
grad_clip = 1.0
learning_rate = 6e-4
warmup = 2000
device = "cuda"

tokens = np.memmap(os.path.join(data_dir, "tokens.bin"), dtype=np.uint16, mode="r")


def draw():
    starts = np.random.randint(0, len(tokens) - block_size - 1, size=batch_size)
    rows = np.stack([tokens[s : s + block_size + 1] for s in starts]).astype(np.int64)
    rows = torch.from_numpy(rows).to(device)
    return rows[:, :-1], rows[:, 1:]


def rate(n):
    if n < warmup:
        return learning_rate * (n + 1) / warmup
    done = (n - warmup) / (max_steps - warmup)
    return learning_rate * (0.55 + 0.45 * math.cos(math.pi * done))


model = GPT(GPTConfig(block_size=block_size)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate, betas=(0.9, 0.95), weight_decay=0.1)

step = 0
while step < max_steps:
    for group in optimizer.param_groups:
        group["lr"] = rate(step)
    for _ in range(grad_accum):
        x, y = draw()
        with torch.autocast(device_type="cuda", dtype=torch.bfloat16):
            loss = model(x, y).loss / grad_accum
        loss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    if grad_clip != 0.0:
        torch.nn.utils.clip_grad_norm_(model.parameters(), grad_clip)
    if step % 10 == 0:
        print(f"update {step}: loss {loss.item() * grad_accum:.4f}")
    step += 1

torch.save(model.state_dict(), os.path.join(out_dir, "model.pt"))
