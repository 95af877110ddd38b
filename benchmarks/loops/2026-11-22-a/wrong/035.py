import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


class DistributedTrainer:
    def __init__(self, net: nn.Module, dataset, collate, config, rank: int):
        self.rank = rank
        self.config = config
        self.sampler = DistributedSampler(dataset, shuffle=True, seed=config.seed)
        self.loader = DataLoader(
            dataset, batch_size=config.micro_batch_size, sampler=self.sampler, collate_fn=collate, num_workers=4
        )
        net = nn.SyncBatchNorm.convert_sync_batchnorm(net).to(rank)
        self.model = nn.parallel.DistributedDataParallel(net, device_ids=[rank])
        self.optimizer = torch.optim.AdamW(net.parameters(), lr=config.lr)
        self.batch_in_epoch = 0

    @property
    def at_boundary(self) -> bool:
        done = self.batch_in_epoch + 1
        return done % self.config.accumulate == 0 or done == len(self.loader)

    def _step(self):
        nn.utils.clip_grad_norm_(self.model.parameters(), self.config.max_norm)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)

    def run_epoch(self, epoch: int) -> float:
        self.sampler.set_epoch(epoch)
        self.model.train()
        total = torch.zeros((), device=self.rank)
        for self.batch_in_epoch, (volume, label) in enumerate(self.loader):
            logits = self.model(volume.to(self.rank))
            loss = nn.functional.binary_cross_entropy_with_logits(logits, label.to(self.rank).float())
            (loss / self.config.accumulate).backward()
            total += loss.detach()
            if self.at_boundary:
                self._step()
        dist.all_reduce(total)
        return total.item() / len(self.loader) / dist.get_world_size()

    def fit(self):
        for epoch in range(self.config.epochs):
            loss = self.run_epoch(epoch)
            if self.rank == 0:
                print(f"epoch {epoch}: {loss:.4f}")
                torch.save(self.model.module.state_dict(), self.config.checkpoint)
