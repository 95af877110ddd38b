import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def ddp_setup():
    os.environ.setdefault("MASTER_ADDR", "localhost")
    os.environ.setdefault("MASTER_PORT", "12355")
    dist.init_process_group(
        "gloo", rank=int(os.environ.get("RANK", 0)), world_size=int(os.environ.get("WORLD_SIZE", 1))
    )


class Trainer:
    def __init__(self, model, data, batch_size, accum_steps):
        self.rank = dist.get_rank()
        self.sampler = DistributedSampler(data)
        self.loader = DataLoader(data, batch_size=batch_size, sampler=self.sampler)
        self.model = DDP(model)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=1e-2)
        self.accum_steps = accum_steps

    def _run_batch(self, i, source, targets):
        output = self.model(source)
        loss = F.cross_entropy(output, targets) / self.accum_steps
        loss.backward()
        if (i + 1) % self.accum_steps == 0 or i + 1 == len(self.loader):
            self.optimizer.step()
            self.optimizer.zero_grad()
        return loss.item() * self.accum_steps

    def _run_epoch(self, epoch):
        losses = [self._run_batch(i, s, t) for i, (s, t) in enumerate(self.loader)]
        if self.rank == 0:
            print(f"Epoch {epoch} | steps {len(self.loader)} | loss {sum(losses) / len(losses):.3f}")

    def train(self, max_epochs):
        self.model.train()
        for epoch in range(max_epochs):
            self._run_epoch(epoch)


def main():
    ddp_setup()
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(150, 20), torch.randint(0, 5, (150,)))
    net = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, 5))
    Trainer(net, data, batch_size=10, accum_steps=2).train(3)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
