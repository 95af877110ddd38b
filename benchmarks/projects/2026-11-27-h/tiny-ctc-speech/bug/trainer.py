import torch
from torch.nn import functional as F


def ctc(logp, text):
    n, frames, _ = logp.shape
    return F.ctc_loss(
        logp.transpose(0, 1),
        text,
        torch.full((n,), frames),
        torch.full((n,), text.shape[1]),
        zero_infinity=True,
    )


class Trainer:
    def __init__(self, model, optimizer, cfg, callbacks):
        self.model, self.optimizer, self.cfg = model, optimizer, cfg
        self.callbacks = callbacks
        self.loss = None

    def fire(self, event):
        for callback in self.callbacks:
            getattr(callback, event)(self)

    def fit(self, loader):
        for self.epoch in range(self.cfg.epochs):
            self.model.train()
            self.optimizer.zero_grad()
            for n, (audio, text) in enumerate(loader, start=1):
                self.loss = ctc(self.model(audio), text)
                (self.loss / self.cfg.accumulate).backward()
                if n % self.cfg.accumulate == 0 or n == len(loader):
                    self.fire("before_step")
                    self.optimizer.step()
                    self.fire("after_step")
                    self.optimizer.zero_grad()
                self.fire("after_batch")
            self.fire("after_epoch")
