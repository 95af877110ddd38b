import time

import torch
import torch.nn as nn
from timm import create_model
from timm.data import create_dataset, create_loader
from timm.scheduler import CosineLRScheduler
from timm.utils import AverageMeter, NativeScaler


def train_one_epoch(epoch, model, loader, optimizer, loss_fn, loss_scaler, clip_grad, log_interval=50):
    losses = AverageMeter()
    model.train()
    end = time.time()
    for batch_idx, (images, target) in enumerate(loader):
        images, target = images.cuda(), target.cuda()
        with torch.cuda.amp.autocast():
            output = model(images)
            loss = loss_fn(output, target)
        optimizer.zero_grad()
        loss_scaler(loss, optimizer)
        if clip_grad is not None:
            nn.utils.clip_grad_norm_(model.parameters(), clip_grad)
        losses.update(loss.item(), images.size(0))
        if batch_idx % log_interval == 0:
            print(f"{epoch} [{batch_idx}/{len(loader)}] loss {losses.avg:.3f} {time.time() - end:.1f}s")
    return losses.avg


def main():
    model = create_model("convnext_tiny", num_classes=100).cuda()
    dataset = create_dataset("", root="/data/imagenet100", split="train", is_training=True)
    loader = create_loader(dataset, (3, 224, 224), batch_size=128, is_training=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.05)
    scheduler = CosineLRScheduler(optimizer, t_initial=90, warmup_t=5)
    loss_scaler = NativeScaler()
    for epoch in range(90):
        train_one_epoch(epoch, model, loader, optimizer, nn.CrossEntropyLoss(), loss_scaler, clip_grad=5.0)
        scheduler.step(epoch + 1)


if __name__ == "__main__":
    main()
