import os

import torch
import torch.distributed as dist
from torch import nn


class Bigram(nn.Module):
    def __init__(self, vocab=32, d=24):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.head = nn.Linear(d, vocab)

    def forward(self, idx, target):
        logits = self.head(self.emb(idx))
        return nn.functional.cross_entropy(logits.flatten(0, 1), target.flatten())


def get_batch(vocab=32):
    seq = (torch.randint(0, vocab, (6, 1)) + 3 * torch.arange(13)) % vocab
    return seq[:, :-1], seq[:, 1:]


def main():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29617")
    dist.init_process_group("gloo", rank=0, world_size=1)
    torch.manual_seed(44)
    ddp = nn.parallel.DistributedDataParallel(Bigram())
    optimizer = torch.optim.AdamW(ddp.parameters(), lr=1e-2)
    grad_accum = 5
    for it in range(12):
        lossf = 0.0
        for micro_step in range(grad_accum):
            x, y = get_batch()
            loss = ddp(x, y) / grad_accum
            loss.backward()
            lossf += loss.item()
        nn.utils.clip_grad_norm_(ddp.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        print(it, f"{lossf:.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
