import os
from itertools import islice

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from retrieval.data import PairStream
from retrieval.model import BiEncoder


class EncoderTrainer:
    def __init__(self, model: nn.Module, rank: int, lr: float, grad_accum: int):
        torch.cuda.set_device(rank)
        self.rank = rank
        self.grad_accum = grad_accum
        self.model = DistributedDataParallel(model.cuda(rank), device_ids=[rank])
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=lr, weight_decay=0.01)

    def in_batch_loss(self, batch):
        q, p = self.model(batch["query"].cuda(self.rank), batch["passage"].cuda(self.rank))
        scores = q @ p.T
        labels = torch.arange(scores.size(0), device=scores.device)
        return F.cross_entropy(scores, labels)

    def update(self, micro_batches):
        self.optimizer.zero_grad(set_to_none=True)
        total = torch.zeros((), device=self.rank)
        for batch in micro_batches:
            loss = self.in_batch_loss(batch) / len(micro_batches)
            loss.backward()
            total += loss.detach()
        nn.utils.clip_grad_norm_(self.model.parameters(), 2.0)
        self.optimizer.step()
        return total

    def fit(self, stream, updates):
        self.model.train()
        batches = iter(stream)
        for n in range(updates):
            loss = self.update(list(islice(batches, self.grad_accum)))
            if n % 100 == 0:
                dist.all_reduce(loss)
                if self.rank == 0:
                    print(n, (loss / dist.get_world_size()).item())


def main():
    dist.init_process_group("nccl")
    rank = int(os.environ["LOCAL_RANK"])
    trainer = EncoderTrainer(BiEncoder.from_pretrained("bert-base-uncased"), rank, lr=2e-5, grad_accum=8)
    trainer.fit(PairStream("pairs.jsonl", rank, dist.get_world_size()), updates=20_000)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
