import itertools
import logging

import torch
from torch import nn

from keyphrase.data import reader
from keyphrase.tagger import Tagger

log = logging.getLogger(__name__)


def train(config: dict) -> nn.Module:
    tagger = Tagger(config["encoder"])
    optimizer = torch.optim.AdamW(tagger.parameters(), lr=config["lr"])
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=config["updates"])
    accum = config["accum"]
    batches = itertools.chain.from_iterable(reader(config["train"]) for _ in itertools.count())
    global_step = 0
    updates = 0
    tagger.train()
    while updates < config["updates"]:
        words, tags = next(batches)
        loss = nn.functional.cross_entropy(tagger(words), tags) / accum
        loss.backward()
        if global_step % accum == 0:
            nn.utils.clip_grad_norm_(tagger.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
            updates += 1
            if updates % 100 == 0:
                log.info("update %d loss %.4f", updates, loss.item() * accum)
        global_step += 1
    return tagger
