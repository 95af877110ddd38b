import torch
from torch.nn.functional import mse_loss


class Loop:
    def __init__(self, parts, accum, limit, callbacks):
        self.net, self.optimizer, self.trainable = parts
        self.accum, self.limit, self.callbacks = accum, limit, callbacks
        self.updates, self.pending, self.stop = 0, 0, False

    def noise_loss(self, points):
        when = torch.rand(len(points), 1)
        noise = torch.randn_like(points)
        return mse_loss(self.net((1 - when).sqrt() * points + when.sqrt() * noise, when), noise)

    def update(self):
        torch.nn.utils.clip_grad_norm_(self.trainable, self.limit)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.updates, self.pending = self.updates + 1, 0
        for callback in self.callbacks:
            callback.on_update(self)

    def fit(self, loader, epochs):
        for _ in range(epochs):
            total = 0.0
            for i, (points,) in enumerate(loader):
                loss = self.noise_loss(points)
                (loss / self.accum).backward()
                self.pending += 1
                total += loss.item()
                if i % self.accum == self.accum - 1:
                    self.update()
            for callback in self.callbacks:
                callback.on_epoch_end(self, total / len(loader))
            if self.stop:
                break
