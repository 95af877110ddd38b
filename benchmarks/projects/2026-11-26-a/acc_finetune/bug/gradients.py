def clip(accelerator, model, max_norm):
    if max_norm > 0:
        accelerator.clip_grad_norm_(model.parameters(), max_norm)


def decay_groups(model, weight_decay):
    skip = [p for p in model.parameters() if p.ndim < 2]
    rest = [p for p in model.parameters() if p.ndim >= 2]
    return [{"params": rest, "weight_decay": weight_decay}, {"params": skip, "weight_decay": 0.0}]
