import math
import sys

import torch

import util.lr_sched as lr_sched


def train_one_epoch(model, criterion, data_loader, optimizer, device, epoch, loss_scaler, args):
    model.train(True)
    accum_iter = args.accum_iter
    total, norm = 0.0, 0.0
    optimizer.zero_grad()

    for data_iter_step, (samples, targets) in enumerate(data_loader):
        if data_iter_step % accum_iter == 0:
            lr_sched.adjust_learning_rate(optimizer, data_iter_step / len(data_loader) + epoch, args)

        samples = samples.to(device, non_blocking=True)
        targets = targets.to(device, non_blocking=True)
        with torch.autocast(device.type, dtype=torch.float16, enabled=device.type == "cuda"):
            loss = criterion(model(samples), targets)

        loss_value = loss.item()
        if not math.isfinite(loss_value):
            print(f"Loss is {loss_value}, stopping training")
            sys.exit(1)

        update = (data_iter_step + 1) % accum_iter == 0
        grad_norm = loss_scaler(
            loss, optimizer, clip_grad=args.clip_grad, parameters=model.parameters(), update_grad=update
        )
        if update:
            optimizer.zero_grad()
            norm = float(grad_norm)
        total += loss_value

    return {"loss": round(total / len(data_loader), 4), "norm": round(norm, 4), "lr": optimizer.param_groups[0]["lr"]}


@torch.no_grad()
def evaluate(data_loader, model, device):
    model.eval()
    hits, seen = 0, 0
    for images, target in data_loader:
        output = model(images.to(device, non_blocking=True))
        hits += (output.argmax(-1).cpu() == target).sum().item()
        seen += target.numel()
    return hits / seen
