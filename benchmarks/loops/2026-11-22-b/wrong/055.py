import math

import torch
from torch import nn


class Statistics:
    def __init__(self):
        self.loss = 0.0
        self.words = 0

    def add(self, loss, words):
        self.loss += loss
        self.words += words

    def ppl(self):
        return math.exp(min(self.loss / max(self.words, 1), 100))


class NMTTrainer:
    def __init__(self, model: nn.Module, pad: int, accum_count: int = 3, trunc_size: int = 0):
        self.model = model
        self.pad = pad
        self.accum_count = accum_count
        self.trunc_size = trunc_size
        self.loss = nn.NLLLoss(ignore_index=pad, reduction="sum")
        self.optim = torch.optim.Adam(model.parameters(), lr=2.0, betas=(0.9, 0.998))
        self.sched = torch.optim.lr_scheduler.LambdaLR(
            self.optim, lambda s: 512**-0.5 * min((s + 1) ** -0.5, (s + 1) * 8000**-1.5)
        )

    def _accum_batches(self, iterator):
        batches, words = [], 0
        for batch in iterator:
            batches.append(batch)
            words += batch.tgt[1:].ne(self.pad).sum().item()
            if len(batches) == self.accum_count:
                yield batches, words
                batches, words = [], 0
        if batches:
            yield batches, words

    def _gradient_accumulation(self, true_batches, normalization, stats):
        for batch in true_batches:
            if self.accum_count > 1:
                self.optim.zero_grad()
            outputs = self.model(batch.src, batch.tgt[:-1], batch.lengths)
            loss = self.loss(outputs.flatten(0, 1), batch.tgt[1:].flatten())
            loss.div(normalization).backward()
            stats.add(loss.item(), batch.tgt[1:].ne(self.pad).sum().item())
        if self.accum_count == 1:
            self.optim.zero_grad()
        self.optim.step()
        self.sched.step()

    def train(self, train_iter, train_steps, report_every=50):
        self.model.train()
        stats = Statistics()
        for step, (batches, normalization) in enumerate(self._accum_batches(train_iter), 1):
            self._gradient_accumulation(batches, normalization, stats)
            if step % report_every == 0:
                print(f"step {step} ppl {stats.ppl():.2f}")
                stats = Statistics()
            if step >= train_steps:
                break
