import pathlib

import torch
import torch.nn.functional as F


def lm_batches(tokens, length, batch):
    while True:
        at = torch.randint(len(tokens) - length - 1, (batch,)).tolist()
        x = torch.stack([tokens[i : i + length] for i in at])
        y = torch.stack([tokens[i + 1 : i + 1 + length] for i in at])
        yield x, y


@torch.no_grad()
def estimate(model, batches, n=20):
    model.eval()
    losses = torch.zeros(n)
    for k in range(n):
        x, y = next(batches)
        losses[k] = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
    model.train()
    return losses.mean().item()


def train(model, train_tokens, val_tokens, cfg):
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda u: min(1.0, (u + 1) / cfg.warmup))
    path, update = pathlib.Path(cfg.checkpoint), 0
    if path.exists():
        state = torch.load(path)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        scheduler.load_state_dict(state["scheduler"])
        update = state["update"]
    train_batches = lm_batches(train_tokens, cfg.length, cfg.batch)
    val_batches = lm_batches(val_tokens, cfg.length, cfg.batch)
    model.train()
    while update < cfg.updates:
        optimizer.zero_grad(set_to_none=True)
        for _ in range(cfg.accumulate):
            x, y = next(train_batches)
            loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten()) / cfg.accumulate
            loss.backward()
        optimizer.step()
        scheduler.step()
        update += 1
        if update % cfg.eval_every == 0:
            print(update, estimate(model, val_batches))
            parts = {"model": model, "optimizer": optimizer, "scheduler": scheduler}
            torch.save({"update": update, **{k: v.state_dict() for k, v in parts.items()}}, path)
