from contextlib import nullcontext

import torch
from timm.data import create_loader
from timm.models import create_model
from timm.optim import create_optimizer_v2
from timm.scheduler import CosineLRScheduler
from timm.utils import AverageMeter, NativeScaler, model_parameters
from torch import nn


def train_one_epoch(epoch, model, loader, optimizer, loss_fn, args, lr_scheduler, loss_scaler, distributed):
    losses = AverageMeter()
    has_no_sync = distributed and hasattr(model, "no_sync")
    model.train()
    accum_steps = args.grad_accum_steps
    last_accum_steps = len(loader) % accum_steps
    updates_per_epoch = (len(loader) + accum_steps - 1) // accum_steps
    num_updates = epoch * updates_per_epoch
    last_batch_idx = len(loader) - 1
    tail_start = len(loader) - last_accum_steps

    optimizer.zero_grad()
    for batch_idx, (images, target) in enumerate(loader):
        need_update = batch_idx == last_batch_idx or (batch_idx + 1) % accum_steps == 0
        window = last_accum_steps if batch_idx >= tail_start else accum_steps

        def forward_backward():
            with torch.autocast("cuda", dtype=torch.float16):
                loss = loss_fn(model(images), target)
            loss_scaler(
                loss / window if window > 1 else loss,
                optimizer,
                clip_grad=args.clip_grad,
                clip_mode=args.clip_mode,
                parameters=model_parameters(model, exclude_head="agc" in args.clip_mode),
                need_update=need_update,
            )
            return loss.item()

        with model.no_sync() if has_no_sync and not need_update else nullcontext():
            value = forward_backward()
        losses.update(value, images.size(0))
        if not need_update:
            continue
        num_updates += 1
        optimizer.zero_grad()
        lr_scheduler.step_update(num_updates=num_updates, metric=losses.avg)
    return losses.avg


def main(args, dataset):
    model = create_model(args.model, pretrained=True, num_classes=args.num_classes).cuda()
    optimizer = create_optimizer_v2(model, opt="adamw", lr=args.lr, weight_decay=0.05)
    loader = create_loader(dataset, (3, 224, 224), args.batch_size, is_training=True)
    lr_scheduler = CosineLRScheduler(optimizer, t_initial=args.epochs, warmup_t=5, warmup_lr_init=1e-6)
    scaler = NativeScaler()
    for epoch in range(args.epochs):
        loss = train_one_epoch(
            epoch, model, loader, optimizer, nn.CrossEntropyLoss(), args, lr_scheduler, scaler, False
        )
        lr_scheduler.step(epoch + 1)
        print(epoch, loss)
