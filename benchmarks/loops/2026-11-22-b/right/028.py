import os

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.nn.utils import clip_grad_norm_
from torch.optim.lr_scheduler import LambdaLR

from llm.data import token_batches
from llm.model import Decoder, DecoderConfig


class ShardedTrainer:
    def __init__(self, cfg: DecoderConfig, accum: int, lr: float, warmup: int):
        self.rank = dist.get_rank()
        mesh = init_device_mesh("cuda", (dist.get_world_size(),))
        policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
        self.model = Decoder(cfg)
        for block in self.model.blocks:
            fully_shard(block, mesh=mesh, mp_policy=policy)
        fully_shard(self.model, mesh=mesh, mp_policy=policy)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=lr, betas=(0.9, 0.95), fused=True)
        self.scheduler = LambdaLR(self.optimizer, lambda s: min(1.0, (s + 1) / warmup))
        self.accum = accum

    def micro_step(self, tokens, last):
        self.model.set_requires_gradient_sync(last)
        self.model.set_is_last_backward(last)
        logits = self.model(tokens[:, :-1])
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1).float(), tokens[:, 1:].flatten())
        (loss / self.accum).backward()
        return loss.detach()

    def update(self, batches):
        losses = [self.micro_step(next(batches), last=k == self.accum - 1) for k in range(self.accum)]
        norm = clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.scheduler.step()
        self.optimizer.zero_grad()
        return torch.stack(losses).mean(), norm.full_tensor()


def main(steps=20_000):
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    trainer = ShardedTrainer(DecoderConfig(layers=24), accum=8, lr=3e-4, warmup=1000)
    batches = token_batches("corpus.bin", dist.get_rank(), dist.get_world_size())
    trainer.model.train()
    for step in range(steps):
        loss, norm = trainer.update(batches)
        if trainer.rank == 0 and step % 10 == 0:
            print(step, loss.item(), norm.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
