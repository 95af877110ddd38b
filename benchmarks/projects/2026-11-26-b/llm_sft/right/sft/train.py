import math

import torch

from sft.callbacks import LRSchedule, Perplexity
from sft.config import Config
from sft.data import make_loader
from sft.loop import Loop
from sft.model import TinyLM


def cosine(warmup, total):
    def factor(update):
        if update < warmup:
            return (update + 1) / warmup
        progress = (update - warmup) / max(1, total - warmup)
        return 0.5 * (1 + math.cos(math.pi * min(1.0, progress)))

    return factor


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    loader = make_loader(cfg.data)
    model = TinyLM(cfg.data.vocab_size, cfg.data.seq_len)
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.optim.lr)
    total = cfg.epochs * math.ceil(len(loader) / cfg.optim.accumulation)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, cosine(cfg.optim.warmup_updates, total))
    loop = Loop(model, optimizer, cfg.optim, [LRSchedule(scheduler), Perplexity()])
    for _ in range(cfg.epochs):
        loop.run_epoch(loader)


if __name__ == "__main__":
    main()
