import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint_sequential


def build(width=64, depth=6, classes=10):
    blocks = [nn.Sequential(nn.Linear(width, width), nn.GELU()) for _ in range(depth)]
    return nn.Sequential(*blocks), nn.Linear(width, classes)


def large_batch_step(body, head, optimizer, x, y, pieces, max_norm):
    optimizer.zero_grad(set_to_none=True)
    value = 0.0
    for px, py in zip(x.tensor_split(pieces), y.tensor_split(pieces)):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            h = checkpoint_sequential(body, 2, px, use_reentrant=False)
            loss = F.cross_entropy(head(h), py, reduction="sum") / len(y)
        loss.backward()
        value += loss.item()
    norm = nn.utils.clip_grad_norm_([*body.parameters(), *head.parameters()], max_norm)
    optimizer.step()
    return value, norm.item()


def train(batches, steps=1000, lr=1e-3, pieces=4, max_norm=1.0):
    body, head = build()
    body.cuda().train()
    head.cuda().train()
    optimizer = torch.optim.AdamW([{"params": body.parameters()}, {"params": head.parameters(), "lr": 10 * lr}], lr=lr)
    decay = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=steps)
    for step, (x, y) in zip(range(steps), batches):
        value, norm = large_batch_step(body, head, optimizer, x.cuda(), y.cuda(), pieces, max_norm)
        decay.step()
        if step % 20 == 0:
            print(f"{step:4d} loss {value:.4f} norm {norm:.3f}")
    return body, head
