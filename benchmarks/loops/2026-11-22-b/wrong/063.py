import contextlib
import logging
import time

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel

logger = logging.getLogger("trainer")


class Reporter:
    def __init__(self):
        self.rows = []

    def register(self, stats):
        self.rows.append({k: float(v) for k, v in stats.items()})

    def mean(self, key):
        return sum(r[key] for r in self.rows) / len(self.rows)


def backward_scope(model, sync):
    if sync or not isinstance(model, DistributedDataParallel):
        return contextlib.nullcontext()
    return model.no_sync()


def train_one_epoch(model, optimizer, scheduler, iterator, reporter, options):
    model.train()
    batches = list(iterator)
    n_full = len(batches) // options.accum_grad * options.accum_grad
    start = time.perf_counter()
    for iiter, (_, batch) in enumerate(batches[:n_full], 1):
        batch = {k: v.to("cuda") for k, v in batch.items()}
        loss, stats, weight = model(**batch)
        loss = (loss * weight).sum() / weight.sum()
        loss = loss / options.accum_grad
        update = iiter % options.accum_grad == 0
        with backward_scope(model, update):
            loss.backward()
        reporter.register(stats)
        if not update:
            continue
        norm = nn.utils.clip_grad_norm_(model.parameters(), options.grad_clip)
        if torch.isfinite(norm):
            optimizer.step()
            scheduler.step()
        else:
            logger.warning("norm %s, the update is skipped", norm)
        optimizer.zero_grad()
    logger.info("loss %.4f, %.1fs", reporter.mean("loss"), time.perf_counter() - start)


def run(model, make_iterator, options):
    model = DistributedDataParallel(model.cuda(), device_ids=[options.local_rank])
    optimizer = torch.optim.Adam(model.parameters(), lr=options.lr)
    scheduler = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda s: min((s + 1) / options.warmup, ((s + 1) / options.warmup) ** -0.5)
    )
    for epoch in range(options.max_epoch):
        train_one_epoch(model, optimizer, scheduler, make_iterator(epoch), Reporter(), options)
