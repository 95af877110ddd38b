import tempfile

import torch
import torch.distributed as dist
import torch.nn as nn


class DistTrainer:
    def __init__(self, net, lr, accum):
        self.model = nn.parallel.DistributedDataParallel(net)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=lr)
        self.accum = accum

    def train_epoch(self, batches):
        self.model.train()
        self.optimizer.zero_grad()
        for n, (x, y) in enumerate(batches, start=1):
            loss = nn.functional.mse_loss(self.model(x), y)
            (loss / self.accum).backward()
            if n % self.accum == 0 or n == len(batches):
                nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
                self.optimizer.zero_grad()
        return loss.item()


def main():
    with tempfile.NamedTemporaryFile() as f:
        dist.init_process_group("gloo", init_method=f"file://{f.name}_pg", rank=0, world_size=1)
        torch.manual_seed(dist.get_rank())
        data = [(torch.randn(4, 5), torch.randn(4, 1)) for _ in range(9)]
        trainer = DistTrainer(nn.Linear(5, 1), lr=1e-2, accum=4)
        for epoch in range(2):
            print(epoch, trainer.train_epoch(data))
        dist.destroy_process_group()


main()
