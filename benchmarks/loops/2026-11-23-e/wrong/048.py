import os

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


class Block(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.att = nn.MultiheadAttention(d, heads, batch_first=True)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def forward(self, x):
        h = self.ln1(x)
        x = x + self.att(h, h, h, need_weights=False)[0]
        return x + self.ff(self.ln2(x))


class Encoder(nn.Module):
    def __init__(self, vocab=40, d=16, layers=2):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.layers = nn.ModuleList(Block(d, 2) for _ in range(layers))
        self.head = nn.Linear(d, vocab)

    def forward(self, ids):
        x = self.emb(ids)
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


def mlm_batch(gen, bs=4, length=12, vocab=40):
    ids = torch.randint(1, vocab, (bs, length), generator=gen)
    mask = torch.rand(bs, length, generator=gen) < 0.3
    mask[:, 0] = True
    return ids.masked_fill(mask, 0), ids.masked_fill(~mask, -100)


def run(steps=8, n_micro=4):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29601")
    rank, world = int(os.getenv("RANK", 0)), int(os.getenv("WORLD_SIZE", 1))
    dist.init_process_group("gloo", rank=rank, world_size=world)
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(1000 + rank)
    model = DDP(Encoder())
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=steps)

    for step in range(steps):
        for micro in range(n_micro):
            inp, tgt = mlm_batch(gen)
            logits = model(inp)
            loss = F.cross_entropy(logits.flatten(0, 1), tgt.flatten(), ignore_index=-100)
            (loss / n_micro).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad(set_to_none=True)
        if rank == 0:
            print(step, f"{loss.item():.3f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    run()
