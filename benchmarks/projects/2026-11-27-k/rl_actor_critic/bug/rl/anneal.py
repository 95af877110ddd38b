from torch.optim import lr_scheduler


def make_pace(optimizer, kind, updates):
    if kind == "linear":
        return lr_scheduler.LinearLR(optimizer, start_factor=1.0, end_factor=0.1, total_iters=updates)
    if kind == "cosine":
        return lr_scheduler.CosineAnnealingLR(optimizer, T_max=updates)
    raise ValueError(f"unknown pace {kind!r}")
