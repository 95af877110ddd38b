import os
from contextlib import nullcontext

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP

from dense.data import passage_stream
from dense.model import DenseEncoder


def contrastive(reps, temperature=0.05):
    q, p = F.normalize(reps, dim=-1).chunk(2)
    return F.cross_entropy(q @ p.t() / temperature, torch.arange(len(q), device=q.device))


class GradCache:
    def __init__(self, encoder, chunk):
        self.encoder, self.chunk = encoder, chunk

    @torch.no_grad()
    def embed(self, pieces):
        return [self.encoder.module(piece) for piece in pieces]

    def step(self, tokens):
        pieces = tokens.split(self.chunk)
        cached = torch.cat(self.embed(pieces)).requires_grad_()
        loss = contrastive(cached)
        (grad,) = torch.autograd.grad(loss, cached)
        for n, (piece, g) in enumerate(zip(pieces, grad.split(self.chunk))):
            with nullcontext() if n == len(pieces) - 1 else self.encoder.no_sync():
                surrogate = (self.encoder(piece) * g).sum()
                surrogate.backward()
        return loss.item()


def main(updates=40_000, batch=1024, chunk=64):
    dist.init_process_group("nccl")
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    encoder = DDP(DenseEncoder("bert-base-uncased", dropout=0.0).cuda(), device_ids=[rank])
    optimizer = torch.optim.AdamW(encoder.parameters(), lr=1e-5)
    cache = GradCache(encoder, chunk)
    stream = passage_stream("nq.jsonl", batch, dist.get_rank(), dist.get_world_size())
    encoder.train()
    for update in range(updates):
        optimizer.zero_grad()
        loss = cache.step(next(stream).cuda())
        torch.nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
        optimizer.step()
        if rank == 0 and update % 50 == 0:
            print(update, f"{loss:.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
