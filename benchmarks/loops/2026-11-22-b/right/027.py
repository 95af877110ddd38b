import torch
from torch import nn


class Trainer:
    def __init__(self, model, pad, accum_counts, accum_steps, trunc_size=32, max_grad_norm=5.0):
        self.model = model
        self.criterion = nn.CrossEntropyLoss(ignore_index=pad, reduction="sum")
        self.pad = pad
        self.accum_counts, self.accum_steps = accum_counts, accum_steps
        self.accum_count = accum_counts[0]
        self.trunc_size = trunc_size
        self.max_grad_norm = max_grad_norm
        self.optim = torch.optim.Adagrad(model.parameters(), lr=0.15, initial_accumulator_value=0.1)
        self.step = 0

    def _maybe_change_accum(self):
        for count, start in zip(self.accum_counts, self.accum_steps):
            if self.step >= start:
                self.accum_count = count

    def _accum_batches(self, iterator):
        batches, normalization = [], 0
        for batch in iterator:
            batches.append(batch)
            normalization += batch.tgt[1:].ne(self.pad).sum().item()
            if len(batches) == self.accum_count:
                yield batches, normalization
                self._maybe_change_accum()
                batches, normalization = [], 0
        if batches:
            yield batches, normalization

    def _gradient_accumulation(self, true_batches, normalization):
        if len(true_batches) > 1:
            self.optim.zero_grad()
        total = 0.0
        for batch in true_batches:
            if len(true_batches) == 1:
                self.optim.zero_grad()
            memory, state = self.model.encode(batch.src, batch.src_lengths), None
            for j in range(0, batch.tgt.size(0) - 1, self.trunc_size):
                tgt = batch.tgt[j : j + self.trunc_size + 1]
                logits, state = self.model.decode(tgt[:-1], memory, state)
                loss = self.criterion(logits.flatten(0, 1), tgt[1:].flatten())
                (loss / normalization).backward(retain_graph=True)
                state = tuple(s.detach() for s in state)
                total += loss.item()
        nn.utils.clip_grad_norm_(self.model.parameters(), self.max_grad_norm)
        self.optim.step()
        return total / normalization

    def train(self, train_iter, train_steps):
        self.model.train()
        for batches, normalization in self._accum_batches(train_iter):
            loss = self._gradient_accumulation(batches, normalization)
            self.step += 1
            if self.step % 50 == 0:
                print(f"step {self.step}/{train_steps} xent {loss:.3f}")
            if self.step >= train_steps:
                break
