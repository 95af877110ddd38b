import itertools
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from speech_lm.data import bucketed_batches
from speech_lm.model import UnitLM


@dataclass
class Config:
    data: str = "units.arrow"
    max_tokens: int = 8192
    update_freq: int = 8
    lr: float = 5e-4
    warmup: int = 4000
    updates: int = 250_000
    clip: float = 1.0
    pad: int = 1


def lr_at(step, cfg):
    return cfg.lr * min(step / cfg.warmup, (cfg.warmup / step) ** 0.5)


def main(cfg: Config):
    model = UnitLM(vocab=1004).cuda().train()
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr, betas=(0.9, 0.98), eps=1e-6)
    batches = iter(bucketed_batches(cfg.data, cfg.max_tokens))
    for update in range(1, cfg.updates + 1):
        optimizer.param_groups[0]["lr"] = lr_at(update, cfg)
        optimizer.zero_grad()
        tokens, total = 0, 0.0
        for units in itertools.islice(batches, cfg.update_freq):
            units = units.cuda()
            logits = model(units[:, :-1])
            target = units[:, 1:]
            loss = F.cross_entropy(logits.transpose(1, 2), target, ignore_index=cfg.pad, reduction="sum")
            loss.backward()
            tokens += int((target != cfg.pad).sum())
            total += loss.item()
        for p in model.parameters():
            if p.grad is not None:
                p.grad.div_(tokens)
        torch.nn.utils.clip_grad_norm_(model.parameters(), cfg.clip)
        optimizer.step()
        if update % 100 == 0:
            print(f"{update} loss/token {total / tokens:.4f}")


if __name__ == "__main__":
    main(Config())
