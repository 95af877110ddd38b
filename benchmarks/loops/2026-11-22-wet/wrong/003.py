import itertools

import torch
import torch.nn.functional as F

ACCUM = 4
MAX_NORM = 0.5
TOTAL_UPDATES = 20_000


def apply_update(model, optimizer):
    optimizer.step()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), MAX_NORM)
    optimizer.zero_grad()
    return norm


def train(model, loader, lr=3e-4):
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    model.train()
    updates = 0
    for micro, (tokens, targets) in enumerate(itertools.cycle(loader), start=1):
        logits = model(tokens)
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        (loss / ACCUM).backward()
        if micro % ACCUM:
            continue
        norm = apply_update(model, optimizer)
        updates += 1
        if updates % 100 == 0:
            print(updates, loss.item(), float(norm))
        if updates == TOTAL_UPDATES:
            break
    return model
