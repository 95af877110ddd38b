"""Train and eval functions used in main.py"""
import math
import sys

import torch

import util.misc as misc


def train_one_epoch(model, criterion, data_loader, optimizer, device, epoch, loss_scaler, args):
    model.train()
    metric_logger = misc.MetricLogger()
    optimizer.zero_grad()

    for step, (samples, targets) in enumerate(data_loader):
        samples = samples.to(device)
        targets = targets.to(device)

        with torch.autocast(device.type, dtype=torch.float16, enabled=not args.no_amp):
            outputs = model(samples)
            loss = criterion(outputs, targets)

        loss_value = loss.item()
        if not math.isfinite(loss_value):
            print(f"Loss is {loss_value}, stopping training")
            sys.exit(1)

        update = (step + 1) % args.accum_iter == 0 or step + 1 == len(data_loader)
        norm = loss_scaler(loss, optimizer, parameters=model.parameters(),
                           clip_grad=args.clip_grad, update_grad=update)
        if update:
            optimizer.zero_grad()
            metric_logger.update(grad_norm=norm.item())
        metric_logger.update(loss=loss_value, lr=optimizer.param_groups[0]["lr"])

    return metric_logger.averages()


def evaluate(data_loader, model, device):
    criterion = torch.nn.CrossEntropyLoss()
    metric_logger = misc.MetricLogger()
    model.eval()

    for images, target in data_loader:
        images = images.to(device)
        target = target.to(device)
        output = model(images)
        loss = criterion(output, target)
        acc1 = (output.argmax(1) == target).float().mean() * 100
        metric_logger.update(loss=loss.item(), acc1=acc1.item())

    return metric_logger.averages()
