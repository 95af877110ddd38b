import itertools

import torch
import torch.nn.functional as F

IGNORE = -100


def token_count(group):
    return sum(int((batch["labels"][:, 1:] != IGNORE).sum()) for batch in group)


def train(model, loader, *, lr, window, max_updates, clip=1.0, device="cuda"):
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, betas=(0.9, 0.95))
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=max_updates)
    micro_batches = itertools.cycle(loader)
    model.to(device).train()

    for update in range(max_updates):
        group = [next(micro_batches) for _ in range(window)]
        tokens = token_count(group)
        reported = 0.0
        for batch in group:
            labels = batch["labels"].to(device)
            logits = model(batch["input_ids"].to(device))
            summed = F.cross_entropy(
                logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten(), ignore_index=IGNORE, reduction="sum"
            )
            loss = summed / tokens
            loss.backward()
            reported += loss.item()
        torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad(set_to_none=True)
        if update % 10 == 0:
            print(f"{update} {reported:.4f} nats over {tokens} tokens")
