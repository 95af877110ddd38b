from itertools import cycle

import torch
from torch.nn.functional import cross_entropy
from torch.nn.utils import clip_grad_norm_
from tqdm import tqdm


def pretrain(cfg, model):
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.optim.lr, weight_decay=cfg.optim.wd)
    schedule = torch.optim.lr_scheduler.LinearLR(opt, 0.01, 1.0, total_iters=cfg.optim.warmup)
    source = cycle(cfg.data.train)
    model.train()
    bar = tqdm(range(cfg.optim.updates), desc="pretraining")
    for _ in bar:
        meter = 0.0
        for _ in range(cfg.optim.micro_batches):
            ids = next(source).to(cfg.device)
            logits = model(ids[:, :-1])
            token_losses = cross_entropy(logits.transpose(1, 2), ids[:, 1:], reduction="none")
            loss = token_losses.sum() / token_losses.numel()
            loss = loss / cfg.optim.micro_batches
            loss.backward()
            clip_grad_norm_(model.parameters(), cfg.optim.clip)
            meter += loss.item()
        opt.step()
        schedule.step()
        opt.zero_grad(set_to_none=True)
        bar.set_postfix(loss=f"{meter:.3f}", lr=schedule.get_last_lr()[0])
