import argparse
import datetime
import time

import torch
import torch.distributed as dist
import torch.utils.data
from torchvision.models.detection import fcos_resnet50_fpn

from references import coco_utils, utils


def train_one_epoch(model, optimizer, loader, device, epoch, print_freq):
    model.train()
    for i, (images, targets) in enumerate(loader):
        images = [image.to(device) for image in images]
        targets = [{k: v.to(device) for k, v in t.items()} for t in targets]
        losses = model(images, targets)
        loss = sum(losses.values())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if i % print_freq == 0:
            print(f"Epoch: [{epoch}] [{i}/{len(loader)}] loss: {loss.item():.4f}")


def main(args):
    utils.init_distributed_mode(args)
    device = torch.device("cuda", args.gpu)
    dataset = coco_utils.get_coco(args.data_path, "train")
    train_sampler = torch.utils.data.distributed.DistributedSampler(dataset)
    batch_sampler = torch.utils.data.BatchSampler(train_sampler, args.batch_size, drop_last=True)
    loader = torch.utils.data.DataLoader(
        dataset, batch_sampler=batch_sampler, num_workers=args.workers, collate_fn=utils.collate_fn
    )
    model = fcos_resnet50_fpn(num_classes=91).to(device)
    model = torch.nn.parallel.DistributedDataParallel(model, device_ids=[args.gpu])
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9, weight_decay=1e-4)
    lr_scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[16, 22], gamma=0.1)

    start = time.time()
    for epoch in range(args.epochs):
        lr_scheduler.step()
        train_one_epoch(model, optimizer, loader, device, epoch, args.print_freq)
        if dist.get_rank() == 0:
            torch.save({"model": model.module.state_dict(), "epoch": epoch}, f"{args.output}/model_{epoch}.pth")
    print("Training time", datetime.timedelta(seconds=int(time.time() - start)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--data-path", default="/datasets/coco")
    parser.add_argument("--batch-size", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=26)
    parser.add_argument("--lr", type=float, default=0.02)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--print-freq", type=int, default=20)
    parser.add_argument("--output", default=".")
    main(parser.parse_args())
