import os
from contextlib import ExitStack

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler

from ocr.data import LineImages, collate
from ocr.model import CRNN


class Epochs:
    def __init__(self, total, *listeners):
        self.total = total
        self.listeners = listeners

    def __iter__(self):
        for epoch in range(self.total):
            for listener in self.listeners:
                listener(epoch)
            yield epoch


class Loop:
    def __init__(self, model, optimizer, accum):
        self.model, self.optimizer, self.accum = model, optimizer, accum
        self.ctc = nn.CTCLoss(zero_infinity=True)

    def micro(self, batch, share, last):
        image, text, lengths = (t.cuda(non_blocking=True) for t in batch)
        with ExitStack() as stack:
            if not last:
                stack.enter_context(self.model.no_sync())
            log_probs = self.model(image)
            frames = torch.full((image.size(0),), log_probs.size(0), dtype=torch.long)
            loss = self.ctc(log_probs, text, frames, lengths)
            (loss * share).backward()
        return loss.item()

    def update(self):
        nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)

    def epoch(self, loader):
        self.model.train()
        total, n = 0.0, len(loader)
        for i, batch in enumerate(loader):
            start = i - i % self.accum
            size = min(self.accum, n - start)
            last = i + 1 == start + size
            total += self.micro(batch, 1.0 / size, last)
            if last:
                self.update()
        return total / n


def main(root, epochs=40, accum=4):
    dist.init_process_group("nccl")
    local = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local)
    dataset = LineImages(root)
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, 64, sampler=sampler, collate_fn=collate, num_workers=4)
    model = DDP(CRNN(dataset.alphabet).cuda(), device_ids=[local])
    loop = Loop(model, torch.optim.Adam(model.parameters(), lr=1e-3), accum)
    for epoch in Epochs(epochs, sampler.set_epoch):
        loss = loop.epoch(loader)
        if local == 0:
            print(epoch, loss)
