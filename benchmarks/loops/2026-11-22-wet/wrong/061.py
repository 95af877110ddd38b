import torch
from timm.utils import AverageMeter, NativeScaler, dispatch_clip_grad


def train_one_epoch(epoch, model, loader, optimizer, loss_fn, args, lr_scheduler=None, loss_scaler=None):
    has_no_sync = hasattr(model, "no_sync")
    losses_m = AverageMeter()
    model.train()

    accum_steps = args.grad_accum_steps
    last_accum_steps = len(loader) % accum_steps
    updates_per_epoch = (len(loader) + accum_steps - 1) // accum_steps
    num_updates = epoch * updates_per_epoch
    last_batch_idx_to_accum = len(loader) - last_accum_steps

    optimizer.zero_grad()
    for batch_idx, (input, target) in enumerate(loader):
        need_update = batch_idx == len(loader) - 1 or (batch_idx + 1) % accum_steps == 0
        if batch_idx >= last_batch_idx_to_accum:
            accum_steps = last_accum_steps

        def _forward():
            with torch.autocast("cuda", dtype=torch.float16, enabled=loss_scaler is not None):
                return loss_fn(model(input.cuda()), target.cuda()) / accum_steps

        def _backward(loss):
            if loss_scaler is not None:
                loss_scaler(
                    loss,
                    optimizer,
                    clip_grad=args.clip_grad,
                    parameters=model.parameters(),
                    need_update=need_update,
                )
            else:
                loss.backward()
                if need_update:
                    if args.clip_grad is not None:
                        dispatch_clip_grad(model.parameters(), args.clip_grad)
                    optimizer.step()

        if has_no_sync and not need_update:
            with model.no_sync():
                loss = _forward()
                _backward(loss)
        else:
            loss = _forward()
            _backward(loss)
        losses_m.update(loss.item() * accum_steps, input.size(0))

        if not need_update:
            continue
        num_updates += 1
        optimizer.zero_grad()
        if lr_scheduler is not None:
            lr_scheduler.step_update(num_updates=num_updates, metric=losses_m.avg)
    return losses_m.avg


def make_scaler(args):
    return NativeScaler() if args.amp else None
