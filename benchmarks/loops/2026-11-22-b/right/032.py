import contextlib

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class GroupedTrainer:
    def __init__(self, cfg, model, criterion, rank):
        self.cfg = cfg
        self.criterion = criterion
        self.rank = rank
        self.model = DDP(model.to(rank), device_ids=[rank])
        self.params = [p for p in self.model.parameters() if p.requires_grad]
        self.optimizer = torch.optim.Adam(self.params, lr=cfg.lr, betas=(0.9, 0.98))
        self.lr_scheduler = torch.optim.lr_scheduler.LambdaLR(
            self.optimizer, lambda n: min((n + 1) / cfg.warmup, (cfg.warmup / (n + 1)) ** 0.5)
        )
        self.num_updates = 0

    def multiply_grads(self, c):
        for p in self.params:
            if p.grad is not None:
                p.grad.data.mul_(c)

    def train_step(self, samples):
        self.model.train()
        self.optimizer.zero_grad()
        sample_size = torch.zeros(1, device=self.rank)
        logging_output = {"loss": 0.0, "ntokens": 0}

        for i, sample in enumerate(samples):
            with self.model.no_sync() if i < len(samples) - 1 else contextlib.nullcontext():
                loss, ntokens = self.criterion(self.model, sample)
                loss.backward()
            sample_size += ntokens
            logging_output["loss"] += loss.item()
            logging_output["ntokens"] += int(ntokens)

        dist.all_reduce(sample_size)
        self.multiply_grads(dist.get_world_size() / sample_size.item())
        logging_output["gnorm"] = nn.utils.clip_grad_norm_(self.params, self.cfg.clip_norm).item()
        self.optimizer.step()
        self.lr_scheduler.step()
        self.num_updates += 1
        return logging_output


class SumCrossEntropy:
    def __init__(self, pad):
        self.pad = pad

    def __call__(self, model, sample):
        logits = model(**sample["net_input"])
        target = sample["target"]
        loss = nn.functional.cross_entropy(
            logits.flatten(0, 1), target.flatten(), ignore_index=self.pad, reduction="sum"
        )
        return loss, target.ne(self.pad).sum()


def train(trainer, epoch_iterators):
    for grouped in epoch_iterators:
        for samples in grouped:
            stats = trainer.train_step(samples)
            if trainer.num_updates >= trainer.cfg.max_update:
                return stats
