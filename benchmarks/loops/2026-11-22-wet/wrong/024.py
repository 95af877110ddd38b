import itertools

import torch
import torch.nn as nn
import torch.nn.functional as F

from settings import config
from speech.data import get_loader
from speech.models import Conformer


def parallelise(module, local_rank):
    module = nn.SyncBatchNorm.convert_sync_batchnorm(module)
    return nn.parallel.DistributedDataParallel(module.cuda(local_rank), device_ids=[local_rank])


def train(local_rank):
    model = parallelise(Conformer(**config["model"]), local_rank)
    optimizer = torch.optim.Adam(model.parameters(), lr=config["lr"], betas=(0.9, 0.98))
    scheduler = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda n: min((n + 1) / config["warmup"], (config["warmup"] / (n + 1)) ** 0.5)
    )
    every = config["accumulate_grad_batches"]
    model.train()
    optimizer.zero_grad()
    for k, batch in enumerate(itertools.cycle(get_loader(local_rank))):
        log_probs, lengths = model(batch["mel"], batch["mel_len"])
        loss = F.ctc_loss(log_probs, batch["text"], lengths, batch["text_len"], zero_infinity=True)
        loss.div(every).backward()
        if k % every == every - 1:
            grad_norm = nn.utils.clip_grad_norm_(model.parameters(), config["clip"])
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
            if local_rank == 0:
                print(k // every, loss.item(), grad_norm.item())
        if k + 1 == config["updates"] * every:
            break
