import math


def adjust_learning_rate(optimizer, epoch, args):
    """Half-cycle cosine after a linear warm-up; epoch may be a fraction."""
    if epoch < args.warmup_epochs:
        lr = args.blr * (epoch + 0.1) / args.warmup_epochs
    else:
        done = (epoch - args.warmup_epochs) / max(1e-8, args.epochs - args.warmup_epochs)
        lr = args.min_lr + (args.blr - args.min_lr) * 0.5 * (1.0 + math.cos(math.pi * done))
    for group in optimizer.param_groups:
        group["lr"] = lr * group.get("lr_scale", 1.0)
    return lr
