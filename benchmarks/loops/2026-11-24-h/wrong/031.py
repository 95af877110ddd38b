"""Character-level model, counted in iterations rather than epochs."""
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Cfg:
    micro_bs: int = 8
    block: int = 16
    desired_batch: int = 32
    iters: int = 25
    peak_lr: float = 3e-3
    min_lr: float = 3e-4


class CharRNN(nn.Module):
    def __init__(self, vocab, d=32):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.rnn = nn.GRU(d, d, batch_first=True)
        self.lm_head = nn.Linear(d, vocab)

    def forward(self, idx, targets=None):
        h, _ = self.rnn(self.tok(idx))
        logits = self.lm_head(h)
        loss = None
        if targets is not None:
            loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        return logits, loss


def get_batch(data, cfg):
    at = torch.randint(len(data) - cfg.block - 1, (cfg.micro_bs,)).tolist()
    x = torch.stack([data[a:a + cfg.block] for a in at])
    y = torch.stack([data[a + 1:a + 1 + cfg.block] for a in at])
    return x, y


def lr_at(it, cfg):
    ratio = it / cfg.iters
    return cfg.min_lr + 0.5 * (1 + math.cos(math.pi * ratio)) * (cfg.peak_lr - cfg.min_lr)


if __name__ == "__main__":
    torch.manual_seed(1337)
    cfg = Cfg()
    text = "to be or not to be that is the question " * 30
    stoi = {c: i for i, c in enumerate(sorted(set(text)))}
    data = torch.tensor([stoi[c] for c in text])
    net = CharRNN(len(stoi))
    optim = torch.optim.AdamW(net.parameters(), lr=cfg.peak_lr)
    micro_steps = cfg.desired_batch // cfg.micro_bs

    it = 0
    while it < cfg.iters:
        for group in optim.param_groups:
            group["lr"] = lr_at(it, cfg)
        lossf = 0.0
        for _ in range(micro_steps):
            xb, yb = get_batch(data, cfg)
            _, loss = net(xb, yb)
            lossf += loss.item() / micro_steps
            (loss / cfg.micro_bs).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optim.step()
        optim.zero_grad(set_to_none=True)
        if it % 5 == 0:
            print(f"iter {it}: loss {lossf:.4f}")
        it += 1
