# === a part of a network that is handed over has an optimizer of its own
import torch
from accelerate import Accelerator, DistributedDataParallelKwargs
from torch import nn


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Linear(8, 1)

    def forward(self, x):
        return self.layers(x)


class Coder(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.judge = Judge()
        self.layers = layers

    def forward(self, x, judged=False):
        y = self.layers(x)
        return self.judge(y.detach()).mean() if judged else (y - x).square().mean()


class Trainer:
    def __init__(self, coder: Coder, loader, accum, limit):
        self.accelerator = Accelerator(kwargs_handlers=[DistributedDataParallelKwargs(find_unused_parameters=True)])
        self.coder, self.accum, self.limit = coder, accum, limit
        judges = set(coder.judge.parameters())
        self.opt = torch.optim.Adam(set(coder.parameters()) - judges)
        self.opt_judge = torch.optim.Adam(judges)
        self.coder, self.opt, self.opt_judge, self.loader = self.accelerator.prepare(
            self.coder, self.opt, self.opt_judge, loader
        )
        self.batches = iter(self.loader)

    def train_step(self):
        judge = self.coder.module.judge if self.accelerator.num_processes > 1 else self.coder.judge
        for _ in range(self.accum):
            loss = self.coder(next(self.batches)) / self.accum
            self.accelerator.backward(loss)  # <- missing-no-sync
        self.accelerator.clip_grad_norm_(self.coder.parameters(), self.limit)
        self.opt.step()
        self.opt.zero_grad()
        self.opt_judge.zero_grad()
        for _ in range(self.accum):
            loss = self.coder(next(self.batches), judged=True) / self.accum
            self.accelerator.backward(loss)  # <- missing-no-sync
        self.accelerator.clip_grad_norm_(judge.parameters(), self.limit)
        self.opt_judge.step()

    def train(self, steps):
        for _ in range(steps):
            self.train_step()

# === right: both wait for the last micro-batch
from contextlib import nullcontext

import torch
from accelerate import Accelerator, DistributedDataParallelKwargs
from torch import nn


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Linear(8, 1)

    def forward(self, x):
        return self.layers(x)


class Coder(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.judge = Judge()
        self.layers = layers

    def forward(self, x, judged=False):
        y = self.layers(x)
        return self.judge(y.detach()).mean() if judged else (y - x).square().mean()


class Trainer:
    def __init__(self, coder: Coder, loader, accum, limit):
        self.accelerator = Accelerator(kwargs_handlers=[DistributedDataParallelKwargs(find_unused_parameters=True)])
        self.coder, self.accum, self.limit = coder, accum, limit
        judges = set(coder.judge.parameters())
        self.opt = torch.optim.Adam(set(coder.parameters()) - judges)
        self.opt_judge = torch.optim.Adam(judges)
        self.coder, self.opt, self.opt_judge, self.loader = self.accelerator.prepare(
            self.coder, self.opt, self.opt_judge, loader
        )
        self.batches = iter(self.loader)

    def train_step(self):
        judge = self.coder.module.judge if self.accelerator.num_processes > 1 else self.coder.judge
        for micro in range(self.accum):
            last = micro == self.accum - 1
            with nullcontext() if last else self.accelerator.no_sync(self.coder):
                loss = self.coder(next(self.batches)) / self.accum
                self.accelerator.backward(loss)
        self.accelerator.clip_grad_norm_(self.coder.parameters(), self.limit)
        self.opt.step()
        self.opt.zero_grad()
        self.opt_judge.zero_grad()
        for micro in range(self.accum):
            last = micro == self.accum - 1
            with nullcontext() if last else self.accelerator.no_sync(self.coder):
                loss = self.coder(next(self.batches), judged=True) / self.accum
                self.accelerator.backward(loss)
        self.accelerator.clip_grad_norm_(judge.parameters(), self.limit)
        self.opt_judge.step()

    def train(self, steps):
        for _ in range(steps):
            self.train_step()
