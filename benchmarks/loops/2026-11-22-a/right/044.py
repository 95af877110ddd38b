import argparse

import timm
import timm.optim
import timm.scheduler
import torch
from timm.data import Mixup
from timm.loss import SoftTargetCrossEntropy
from timm.utils import dispatch_clip_grad
from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder
from torchvision.transforms import v2


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("--model", default="deit_small_patch16_224")
    parser.add_argument("--batch-size", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=300)
    parser.add_argument("--clip-grad", type=float, default=1.0)
    args = parser.parse_args()
    tf = v2.Compose([v2.RandomResizedCrop(224), v2.RandAugment(), v2.ToImage(), v2.ToDtype(torch.float32, scale=True)])
    loader = DataLoader(ImageFolder(args.data, tf), args.batch_size, shuffle=True, num_workers=16, drop_last=True)
    model = timm.create_model(args.model, drop_path_rate=0.1).cuda()
    optimizer = timm.optim.create_optimizer_v2(model, opt="adamw", lr=5e-4, weight_decay=0.05)
    scheduler = timm.scheduler.CosineLRScheduler(
        optimizer, t_initial=args.epochs * len(loader), warmup_t=5 * len(loader), warmup_lr_init=1e-6, t_in_epochs=False
    )
    mixup = Mixup(mixup_alpha=0.8, cutmix_alpha=1.0, num_classes=1000)
    criterion = SoftTargetCrossEntropy()
    num_updates = 0
    for epoch in range(args.epochs):
        scheduler.step(epoch)
        model.train()
        for images, target in loader:
            images, target = mixup(images.cuda(non_blocking=True), target.cuda(non_blocking=True))
            loss = criterion(model(images), target)
            optimizer.zero_grad()
            loss.backward()
            dispatch_clip_grad(model.parameters(), args.clip_grad, mode="norm")
            optimizer.step()
            num_updates += 1
            scheduler.step_update(num_updates)
        print(f"{epoch} loss {loss.item():.4f} lr {optimizer.param_groups[0]['lr']:.2e}")
        torch.save(model.state_dict(), "last.pth")


if __name__ == "__main__":
    main()
