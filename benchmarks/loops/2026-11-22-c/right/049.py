import time
from functools import partial

import torch
import torch.nn.functional as F


def timed(table, name, function, *args, **kwargs):
    start = time.perf_counter()
    result = function(*args, **kwargs)
    table[name] = table.get(name, 0.0) + time.perf_counter() - start
    return result


def train(model, batches, *, steps=1000, lr=1e-3, warmup=0):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    advance = lambda: None
    if warmup:
        scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 0.01, total_iters=warmup)
        advance = scheduler.step
    table = {}
    clock = partial(timed, table)
    clear, apply = optimizer.zero_grad, optimizer.step
    model.train()
    for step in range(steps):
        x, y = clock("data", next, batches)
        loss = clock("forward", lambda: F.mse_loss(model(x), y))
        clear()
        clock("backward", loss.backward)
        clock("update", apply)
        advance()
        if step % 100 == 0:
            print(step, f"{loss.item():.4f}", {k: round(v, 2) for k, v in table.items()})
    return model
