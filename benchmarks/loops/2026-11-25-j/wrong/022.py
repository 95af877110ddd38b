import math

import torch
from torch import nn


def warmup_cosine(warmup, total):
    def factor(t):
        if t < warmup:
            return (t + 1) / warmup
        return 0.5 * (1 + math.cos(math.pi * min(1.0, (t - warmup) / max(1, total - warmup))))

    return factor


class Seq2SeqTrainer:
    def __init__(self, model, batches, grad_accum, epochs):
        self.model, self.batches = model, batches
        self.grad_accum, self.epochs = grad_accum, epochs
        updates = epochs * math.ceil(len(batches) / grad_accum)
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
        self.scheduler = torch.optim.lr_scheduler.LambdaLR(self.optimizer, warmup_cosine(2, updates))

    def _update(self):
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad()

    def _micro(self, src, tgt):
        out = self.model(src, tgt[:, :-1])
        loss = (out - tgt[:, 1:]).abs().mean()
        (loss / self.grad_accum).backward()
        return loss.item()

    def train(self):
        for epoch in range(self.epochs):
            for n, (src, tgt) in enumerate(self.batches, 1):
                value = self._micro(src, tgt)
                if n % self.grad_accum == 0 or n == len(self.batches):
                    self._update()
                self.scheduler.step()
            print(epoch, value, self.scheduler.get_last_lr())


torch.manual_seed(1)
data = [(torch.randn(4, 5, 16), torch.randn(4, 4, 16)) for _ in range(9)]
transformer = nn.Transformer(16, 2, 1, 1, 32, batch_first=True)
Seq2SeqTrainer(transformer, data, grad_accum=3, epochs=2).train()
