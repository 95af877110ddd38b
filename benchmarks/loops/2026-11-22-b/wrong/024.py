import collections
import math

import torch
from torch import nn


class SpikeGuard:
    def __init__(self, window=200, factor=4.0):
        self.norms = collections.deque(maxlen=window)
        self.factor = factor

    def seen(self, norm):
        mean = sum(self.norms) / len(self.norms) if self.norms else math.inf
        self.norms.append(norm)
        return norm > self.factor * mean


def train_steps(model, batches, optimizer, scaler, loss_fn, max_norm, guard):
    model.train()
    for step, (tokens, targets) in enumerate(batches):
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(device_type="cuda", dtype=torch.float16):
            logits = model(tokens.cuda(non_blocking=True))
            loss = loss_fn(logits.flatten(0, 1), targets.cuda(non_blocking=True).flatten())

        scaled = scaler.scale(loss)
        scaled.backward()

        norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        scaler.unscale_(optimizer)
        if guard.seen(float(norm)):
            print(f"step {step}: spike, norm {float(norm):.2f}")

        scaler.step(optimizer)
        scaler.update()
        yield step, loss.item()


def pretrain(model, make_batches, total_steps, lr=3e-4, max_norm=1.0, save_every=1000):
    model.cuda()
    decay = [p for p in model.parameters() if p.ndim >= 2]
    rest = [p for p in model.parameters() if p.ndim < 2]
    optimizer = torch.optim.AdamW(
        [{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}], lr=lr, fused=True
    )
    scaler = torch.amp.GradScaler("cuda")
    loss_fn = nn.CrossEntropyLoss()
    guard = SpikeGuard()
    for step, loss in train_steps(model, make_batches(), optimizer, scaler, loss_fn, max_norm, guard):
        if step % save_every == 0:
            torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, f"ckpt_{step}.pt")
            print(step, loss)
        if step >= total_steps:
            break
