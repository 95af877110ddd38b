import math
import os
import tempfile

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.nn.utils import clip_grad_norm_
from torch.utils.data import DataLoader, DistributedSampler

from charstream.clock import WarmupClock
from charstream.lm import CharLM, trainable
from charstream.sync import lazily_reduced
from charstream.text import CHARS, Windows

EPOCHS, ACCUM, BATCH = 3, 4, 12


def main():
    torch.manual_seed(0)
    rendezvous = os.path.join(tempfile.mkdtemp(), "rdzv")
    dist.init_process_group("gloo", init_method=f"file://{rendezvous}", rank=0, world_size=1)
    ddp = DDP(CharLM(len(CHARS)))
    data = Windows()
    sampler = DistributedSampler(data, num_replicas=1, rank=0)
    loader = DataLoader(data, batch_size=BATCH, sampler=sampler)
    params = trainable(ddp)
    optimizer = torch.optim.AdamW(params, lr=8e-3)
    clock = WarmupClock(optimizer, updates=EPOCHS * math.ceil(len(loader) / ACCUM), warmup=2)
    for epoch in range(EPOCHS):
        sampler.set_epoch(epoch)
        ddp.train()
        total = 0.0
        for micro, (ids, targets) in enumerate(loader):
            closing = (micro + 1) % ACCUM == 0 or micro + 1 == len(loader)
            with lazily_reduced(ddp, closing) as model:
                loss = model(ids, targets)
                (loss / ACCUM).backward()
            total += loss.item()
            if closing:
                clip_grad_norm_(params, 0.25)
                optimizer.step()
                clock.tick()
                optimizer.zero_grad()
        print(f"epoch {epoch} nats {total / len(loader):.4f} lr {clock.rate:.5f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
