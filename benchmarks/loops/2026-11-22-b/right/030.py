import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler

from reid.data import Market
from reid.model import ReIDNet, triplet_loss


class EpochLoader:
    """A DataLoader that counts its passes and tells its sampler."""

    def __init__(self, dataset: Dataset, batch_size: int, **kwargs):
        self.sampler = DistributedSampler(dataset, shuffle=True, drop_last=True)
        self.loader = DataLoader(dataset, batch_size, sampler=self.sampler, drop_last=True, **kwargs)
        self.passes = 0

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        self.sampler.set_epoch(self.passes)
        self.passes += 1
        for images, ids in self.loader:
            yield images.cuda(non_blocking=True), ids.cuda(non_blocking=True)


class ReID:
    def __init__(self, local: int, n_ids: int, lr: float = 3.5e-4):
        self.net = DDP(ReIDNet(n_ids).cuda(), device_ids=[local])
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=lr, weight_decay=5e-4)
        self.schedule = torch.optim.lr_scheduler.MultiStepLR(self.optimizer, [40, 70])

    def epoch(self, loader):
        self.net.train()
        total = 0.0
        for images, ids in loader:
            features, logits = self.net(images)
            loss = nn.functional.cross_entropy(logits, ids) + triplet_loss(features, ids, margin=0.3)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        self.schedule.step()
        return total / len(loader)


def main(root, epochs=120):
    dist.init_process_group("nccl")
    local = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local)
    dataset = Market(root)
    loader = EpochLoader(dataset, 64, num_workers=4, pin_memory=True)
    task = ReID(local, dataset.n_ids)
    for epoch in range(epochs):
        loss = task.epoch(loader)
        if dist.get_rank() == 0:
            print(epoch, loss)
    dist.destroy_process_group()
