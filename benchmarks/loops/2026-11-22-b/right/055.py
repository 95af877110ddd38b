import contextlib
import functools
import os

import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp import MixedPrecision
from torch.distributed.fsdp.sharded_grad_scaler import ShardedGradScaler
from torch.distributed.fsdp.wrap import transformer_auto_wrap_policy

from codegen.data import code_batches
from codegen.model import Block, CodeModel


def shard(model, local):
    policy = functools.partial(transformer_auto_wrap_policy, transformer_layer_cls={Block})
    precision = MixedPrecision(param_dtype=torch.float16, reduce_dtype=torch.float16)
    return FSDP(model, auto_wrap_policy=policy, mixed_precision=precision, device_id=local, use_orig_params=True)


class Pretraining:
    def __init__(self, local, *, lr=2e-4, accum=4, clip=1.0):
        self.model = shard(CodeModel(), local)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=lr, betas=(0.9, 0.95))
        self.scaler = ShardedGradScaler()
        self.accum, self.clip = accum, clip

    def sync(self, last):
        return contextlib.nullcontext() if last else self.model.no_sync()

    def update(self, group):
        total = 0.0
        for k, (ids, target) in enumerate(group, start=1):
            with self.sync(k == len(group)):
                logits = self.model(ids)
                loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1).float(), target.flatten())
                loss = loss / len(group)
                self.scaler.scale(loss).backward()
            total += loss.item()
        self.scaler.unscale_(self.optimizer)
        norm = self.model.clip_grad_norm_(self.clip)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)
        return total, norm


def main(updates=50_000):
    dist.init_process_group("nccl")
    local = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local)
    task = Pretraining(local)
    batches = code_batches(dist.get_rank(), dist.get_world_size())
    task.model.train()
    for n in range(updates):
        loss, norm = task.update([next(batches) for _ in range(task.accum)])
        if n % 20 == 0 and dist.get_rank() == 0:
            print(n, loss, float(norm))


if __name__ == "__main__":
    main()
