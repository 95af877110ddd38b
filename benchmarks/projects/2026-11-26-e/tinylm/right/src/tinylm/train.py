import math

import torch
from torch.nn import functional as F
from torch.utils.data import DataLoader

from .net import Decoder, corpus
from .optim import Stepper


def pretrain(cfg):
    torch.manual_seed(0)
    lm = Decoder(cfg.model)
    loader = DataLoader(corpus(cfg.data, cfg.model.vocab), batch_size=cfg.data.batch_size, shuffle=True)
    updates = cfg.train.epochs * math.ceil(len(loader) / cfg.train.accum)
    stepper = Stepper(cfg.optim, lm.parameters(), updates)
    lm.train()
    for epoch in range(cfg.train.epochs):
        total = 0.0
        for n, ids in enumerate(loader, start=1):
            logits = lm(ids[:, :-1])
            loss = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
            (loss * cfg.train.micro_scale).backward()
            total += loss.item()
            if n % cfg.train.accum == 0 or n == len(loader):
                stepper.apply()
            lr = stepper.tick()
        yield f"epoch {epoch} loss {total / len(loader):.3f} lr {lr:.2e}"
