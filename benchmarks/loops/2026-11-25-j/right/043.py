import os
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class DistributedRun:
    def __init__(self, dataset, model, resume_epoch=0):
        self.sampler = DistributedSampler(dataset, seed=7)
        self.loader = DataLoader(dataset, batch_size=6, sampler=self.sampler)
        self.model, self.start = DDP(model), resume_epoch
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.05)

    def before_epoch(self, epoch):
        if isinstance(self.loader.sampler, DistributedSampler):
            self.loader.sampler.set_epoch(epoch)
        self.model.train()

    def fit(self, epochs):
        for epoch in range(self.start, epochs):
            self.before_epoch(epoch)
            for x, y in self.loader:
                self.opt.zero_grad()
                loss = nn.functional.cross_entropy(self.model(x), y)
                loss.backward()
                self.opt.step()
            if dist.get_rank() == 0:
                print(f"epoch {epoch}: {loss.item():.4f}")


def main():
    store = dist.FileStore(os.path.join(tempfile.mkdtemp(), "s"), 1)
    dist.init_process_group("gloo", store=store, rank=0, world_size=1)
    torch.manual_seed(143)
    data = TensorDataset(torch.randn(36, 4), torch.randint(0, 2, (36,)))
    DistributedRun(data, nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))).fit(3)
    dist.destroy_process_group()


main()
