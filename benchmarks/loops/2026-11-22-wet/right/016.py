import math

import torch


def adjust_learning_rate(optimizer, progress, args):
    if progress < args.warmup_epochs:
        lr = args.lr * progress / args.warmup_epochs
    else:
        phase = (progress - args.warmup_epochs) / (args.epochs - args.warmup_epochs)
        lr = args.min_lr + (args.lr - args.min_lr) * 0.5 * (1.0 + math.cos(math.pi * phase))
    for group in optimizer.param_groups:
        group["lr"] = lr * group.get("lr_scale", 1.0)
    return lr


def pretrain(model, data_loader, optimizer, args):
    whole = len(data_loader) - len(data_loader) % args.accum_iter
    for epoch in range(args.epochs):
        model.train(True)
        optimizer.zero_grad()
        for step, (samples, _) in enumerate(data_loader):
            if step == whole:
                break
            if step % args.accum_iter == 0:
                lr = adjust_learning_rate(optimizer, step / len(data_loader) + epoch, args)
            samples = samples.to(args.device, torch.float32, non_blocking=True)
            loss, _, _ = model(samples, mask_ratio=args.mask_ratio)
            value = loss.item()
            if not math.isfinite(value):
                raise SystemExit(f"loss is {value}, stopping")
            loss /= args.accum_iter
            loss.backward()
            if (step + 1) % args.accum_iter == 0:
                optimizer.step()
                optimizer.zero_grad()
        print(epoch, value, lr)
