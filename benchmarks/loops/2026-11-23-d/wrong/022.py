import os

import torch
import torch.distributed as dist
from datasets import ImageList
from models import Net
from torch import nn
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def run(epochs: int = 3, batch_size: int = 4):
    dist.init_process_group("nccl")
    gpu = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(gpu)
    train_set = ImageList("train.txt")
    sampler = DistributedSampler(train_set, shuffle=True, drop_last=True)
    loader = DataLoader(train_set, batch_size=batch_size, sampler=sampler, num_workers=0, pin_memory=False)
    model = nn.parallel.DistributedDataParallel(Net().cuda(gpu), device_ids=[gpu])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=30)
    for epoch in range(epochs):
        model.train()
        for image, label in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(image.cuda(gpu)), label.cuda(gpu))
            loss.backward()
            optimizer.step()
        scheduler.step()
        if gpu == 0:
            print(epoch, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    run()
