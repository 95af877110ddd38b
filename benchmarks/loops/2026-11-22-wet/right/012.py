import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

from imagenet import train_dataset
from resnet import resnet50


def reduce_mean(value):
    tensor = torch.tensor(value, device="cuda")
    dist.all_reduce(tensor, op=dist.ReduceOp.AVG)
    return tensor.item()


def main():
    dist.init_process_group("nccl")
    gpu = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(gpu)
    model = DDP(resnet50().cuda(), device_ids=[gpu])
    loader = torch.utils.data.DataLoader(
        train_dataset,
        batch_size=256,
        num_workers=8,
        sampler=torch.utils.data.distributed.DistributedSampler(train_dataset),
    )
    optimizer = torch.optim.SGD(model.parameters(), lr=0.8, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=90)
    criterion = nn.CrossEntropyLoss().cuda()
    for epoch in range(90):
        loader.sampler.set_epoch(epoch)
        model.train()
        total = 0.0
        for image, target in loader:
            loss = criterion(model(image.cuda()), target.cuda())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        scheduler.step()
        mean = reduce_mean(total / len(loader))
        if gpu == 0:
            print(epoch, mean)


main()
