import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler

from traffic import SignDataset, SignNet


def main(epochs=30, lr=0.02, batch_size=64):
    dist.init_process_group("nccl")
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    dataset = SignDataset("gtsrb")
    sampler = DistributedSampler(dataset, shuffle=True)
    loader = DataLoader(dataset, batch_size=batch_size, sampler=sampler)
    model = DDP(SignNet().cuda(rank), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9, nesterov=True)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, step_size=10)
    for epoch in range(epochs):
        sampler.epoch = epoch
        model.train()
        total = torch.zeros(1, device="cuda")
        for image, sign in loader:
            loss = F.cross_entropy(model(image.cuda(rank)), sign.cuda(rank))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.detach()
        schedule.step()
        dist.all_reduce(total)
        if rank == 0:
            print(epoch, total.item() / len(loader) / dist.get_world_size())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
