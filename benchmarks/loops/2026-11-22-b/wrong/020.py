from typing import Sequence

import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR


class Callback:
    def before_batch(self, learner):
        ...

    def after_batch(self, learner):
        ...


class ZeroGrad(Callback):
    def before_batch(self, learner):
        learner.opt.zero_grad()


class Backward(Callback):
    def after_batch(self, learner):
        (learner.loss / learner.accumulate).backward()


class Step(Callback):
    def after_batch(self, learner):
        if learner.n_batch % learner.accumulate == 0:
            learner.opt.step()
            learner.n_updates += 1


class Anneal(Callback):
    def __init__(self, updates: int):
        self.updates = updates
        self.sched = None

    def after_batch(self, learner):
        if self.sched is None:
            self.sched = CosineAnnealingLR(learner.opt, T_max=self.updates)
        if learner.n_updates > 0:
            self.sched.step()


class Learner:
    def __init__(self, model: nn.Module, loss_fn, callbacks: Sequence[Callback], lr=1e-3, accumulate=1):
        self.model, self.loss_fn = model, loss_fn
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.callbacks = list(callbacks)
        self.accumulate = accumulate
        self.n_batch = 0
        self.n_updates = 0
        self.loss = None

    def fire(self, event: str):
        for cb in self.callbacks:
            getattr(cb, event)(self)

    def fit(self, stream, updates: int):
        self.model.train()
        for xb, yb in stream:
            self.fire("before_batch")
            self.loss = self.loss_fn(self.model(xb), yb)
            self.n_batch += 1
            self.fire("after_batch")
            if self.n_updates >= updates:
                return self


def train(model, stream, updates=5000):
    callbacks = [ZeroGrad(), Backward(), Step(), Anneal(updates)]
    return Learner(model, nn.MSELoss(), callbacks, accumulate=4).fit(stream, updates)
