import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


class MatchPyramidTrainer:
    def __init__(self, model, train_batches, dev_batches, lr=1e-3, accumulate=8, clip=3.0):
        self.model = model
        self.train_batches = train_batches
        self.dev_batches = dev_batches
        self.optimizer = optim.Adadelta(model.parameters(), lr=lr)
        self.accumulate = accumulate
        self.clip = clip
        self.pending = 0
        self.updates = 0

    def batch_loss(self, batch):
        left, right, label = batch
        return F.binary_cross_entropy_with_logits(self.model(left, right), label.float())

    def flush(self):
        nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.pending = 0
        self.updates += 1

    def step(self, batch):
        loss = self.batch_loss(batch)
        (loss / self.accumulate).backward()
        self.pending += 1
        if self.pending > self.accumulate:
            self.flush()
        return loss.item()

    def dev_loss(self):
        self.model.eval()
        torch.no_grad()
        total, n = 0.0, 0
        for batch in self.dev_batches:
            total += self.batch_loss(batch).item()
            n += 1
        self.model.train()
        return total / n

    def train(self, updates, eval_every=500):
        self.model.train()
        best, due = float("inf"), eval_every
        while self.updates < updates:
            for batch in self.train_batches:
                self.step(batch)
                if self.updates >= due:
                    due += eval_every
                    dev = self.dev_loss()
                    if dev < best:
                        best = dev
                        torch.save(self.model.state_dict(), "best.pt")
                if self.updates >= updates:
                    break
        return best
