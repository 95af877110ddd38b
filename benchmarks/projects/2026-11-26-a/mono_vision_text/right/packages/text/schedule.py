def tick(optimizer, warmup, seen):
    """Sets the rate of the coming update: a linear warm-up, then constant."""
    share = min(1.0, (seen + 1) / warmup)
    for group in optimizer.param_groups:
        group["lr"] = group.setdefault("base_lr", group["lr"]) * share
