"""Loops that look wrong and are right, each shape with its near misses.

A source is right where no line is marked; behind a wrong line stands its rule: `# wrong: clip-after-step`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from textwrap import dedent

_MARK = re.compile(r"#\s*wrong:\s*([a-z0-9-]+(?:,\s*[a-z0-9-]+)*)")


@dataclass(frozen=True, slots=True)
class Alarm:
    """One loop: its shape, the sentence that says what it is, its text, and `row rule` of all that is wrong in it."""

    shape: str
    title: str
    source: str
    wrong: frozenset[str]

    def __str__(self) -> str:
        return f"{self.shape}: {self.title}"


def _alarm(shape: str, title: str, text: str) -> Alarm:
    source = dedent(text).lstrip("\n")
    wrong = {
        f"{row} {rule.strip()}"
        for row, line in enumerate(source.splitlines(), 1)
        for found in _MARK.finditer(line)
        for rule in found.group(1).split(",")
    }
    return Alarm(shape, title, source, frozenset(wrong))


_HELPER = {
    "a helper steps, updates and clears after unscale_": """
        import torch
        from utils import apply_gradients

        def train(model, criterion, loader, optimizer, scaler):
            for x, y in loader:
                with torch.autocast("cuda"):
                    loss = criterion(model(x), y)
                scaler.scale(loss).backward()
                scaler.unscale_(optimizer)
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                apply_gradients(optimizer, scaler)
    """,
    "only the helper of another file is called between two unscale_": """
        import torch
        from .amp import finish_step

        class Runner:
            def __init__(self, model, optimizer):
                self.model, self.optimizer = model, optimizer
                self.scaler = torch.cuda.amp.GradScaler()

            def fit(self, loader):
                for batch in loader:
                    with torch.cuda.amp.autocast():
                        loss = self.model(batch).mean()
                    self.scaler.scale(loss).backward()
                    self.scaler.unscale_(self.optimizer)
                    finish_step(self.scaler, self.optimizer, max_norm=1.0)
    """,
    "a call that has nothing to do with the books does not end an unscale_": """
        import torch
        from utils import save_checkpoint, log_lr

        def train(model, criterion, loader, optimizer, scaler):
            for x, y in loader:
                optimizer.zero_grad()
                with torch.autocast("cuda"):
                    loss = criterion(model(x), y)
                scaler.scale(loss).backward()
                scaler.unscale_(optimizer)
                log_lr(optimizer)
                scaler.unscale_(optimizer)  # wrong: double-unscale
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                scaler.step(optimizer)
                scaler.update()
                save_checkpoint(model, optimizer, scaler)
    """,
    "the helper comes too late to excuse": """
        import torch
        from utils import rescale

        def train(model, criterion, loader, optimizer, scaler):
            for x, y in loader:
                optimizer.zero_grad()
                with torch.autocast("cuda"):
                    loss = criterion(model(x), y)
                scaler.scale(loss).backward()
                scaler.unscale_(optimizer)
                scaler.unscale_(optimizer)  # wrong: double-unscale
                rescale(optimizer, scaler)
                scaler.step(optimizer)
                scaler.update()
    """,
    "a helper updates the scaler": """
        import torch
        from utils import after_update

        def train(model, criterion, loader, optimizer, scaler):
            for x, y in loader:
                optimizer.zero_grad()
                with torch.autocast("cuda"):
                    loss = criterion(model(x), y)
                scaler.scale(loss).backward()
                scaler.step(optimizer)
                after_update(scaler)
    """,
    "a helper without the scaler does not update it": """
        import torch
        from utils import shuffle_words, show

        def train(model, criterion, loader, optimizer, scaler):
            for x, y in loader:
                x = shuffle_words(x)
                optimizer.zero_grad()
                with torch.autocast("cuda"):
                    loss = criterion(model(x), y)
                scaler.scale(loss).backward()
                scaler.step(optimizer)  # wrong: missing-scaler-update
                show(loss.item())
    """,
    "the helper stands in front of the step, the update is missing behind it": """
        import torch
        from utils import clip_gradients

        def train(model, criterion, loader, optimizer, scaler):
            for x, y in loader:
                optimizer.zero_grad()
                with torch.autocast("cuda"):
                    loss = criterion(model(x), y)
                scaler.scale(loss).backward()
                clip_gradients(optimizer, scaler)
                scaler.step(optimizer)  # wrong: missing-scaler-update
    """,
    "a helper steps for each micro-batch, the loop's own step is a rare one": """
        from utils import spend

        def train(model, loader, optimizer, accum):
            for i, batch in enumerate(loader):
                optimizer.zero_grad()
                loss = model(batch) / accum
                loss.backward()
                spend(optimizer, loss)
                if (i + 1) % accum == 0:
                    optimizer.step()
    """,
    "a helper clips and steps for each micro-batch": """
        import torch
        from utils import half_step

        def train(model, loader, optimizer, accum):
            for i, batch in enumerate(loader):
                loss = model(batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                half_step(optimizer)
                if (i + 1) % accum == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "clipped per micro-batch beside a call that only logs": """
        import torch
        from utils import log_learning_rate

        def train(model, loader, optimizer, accum):
            for i, batch in enumerate(loader):
                loss = model(batch) / accum
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # wrong: clip-per-micro-batch
                log_learning_rate(optimizer, i)
                if (i + 1) % accum == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "zeroed per micro-batch beside a call that only adjusts the rate": """
        from utils import adjust_learning_rate

        def train(model, loader, optimizer, accum):
            for i, batch in enumerate(loader):
                adjust_learning_rate(optimizer, i)
                optimizer.zero_grad()  # wrong: zero-grad-in-accumulation
                loss = model(batch) / accum
                loss.backward()
                if (i + 1) % accum == 0 or i + 1 == len(loader):
                    optimizer.step()
    """,
    "a state that holds all of them is handed over": """
        import torch
        from engine import advance

        def train(model, criterion, loader, optimizer, scaler):
            state = {"model": model, "optimizer": optimizer, "scaler": scaler}
            for x, y in loader:
                with torch.autocast("cuda"):
                    loss = criterion(model(x), y)
                scaler.scale(loss).backward()
                scaler.unscale_(optimizer)
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                advance(state)
    """,
    "a method of a base class in another file ends the update": """
        import torch
        from base import BaseTrainer
        class T(BaseTrainer):
            def run(self, loader):
                for x, y in loader:
                    with torch.autocast("cuda"):
                        loss = self.criterion(self.model(x), y)
                    self.scaler.scale(loss).backward()
                    self.scaler.unscale_(self.optimizer)
                    torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                    self.finish()
    """,
    "a method of a base class in another file may step": """
        import torch
        from base import BaseTrainer
        class T(BaseTrainer):
            def run(self, loader, n):
                for i, (x, y) in enumerate(loader):
                    self.optimizer.zero_grad()
                    loss = self.criterion(self.model(x), y) / n
                    loss.backward()
                    self.after_backward()
                    if (i + 1) % n == 0:
                        self.optimizer.step()
    """,
    "a plugin is handed the trainer": """
        import torch
        class T:
            def __init__(self, model, opt, scaler, plugin):
                self.model, self.opt, self.scaler, self.plugin = model, opt, scaler, plugin
            def run(self, loader):
                for x in loader:
                    with torch.autocast("cuda"):
                        loss = self.model(x).mean()
                    self.scaler.scale(loss).backward()
                    self.scaler.unscale_(self.opt)
                    self.plugin.finish(self)
    """,
    "a method of a base class that only logs, and one whose result is used": """
        import torch
        from base import BaseTrainer
        class T(BaseTrainer):
            def run(self, loader, n):
                for i, (x, y) in enumerate(loader):
                    self.optimizer.zero_grad()  # wrong: zero-grad-in-accumulation
                    loss = self.criterion(self.model(self.prepare(x)), y) / n
                    loss.backward()
                    self.log_step(i, loss.item())
                    if (i + 1) % n == 0 or i + 1 == len(loader):
                        self.optimizer.step()
    """,
    "callbacks are handed the trainer, the clip comes too often": """
        import torch

        class Trainer:
            def __init__(self, model, optimizer, callbacks, n):
                self.model, self.optimizer, self.callbacks, self.n = model, optimizer, callbacks, n

            def fit(self, loader):
                for i, batch in enumerate(loader):
                    self.callbacks.call_event("on_batch_begin", self)
                    (self.model(batch).mean() / self.n).backward()
                    torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)  # wrong: clip-per-micro-batch
                    if (i + 1) % self.n == 0 or i + 1 == len(loader):
                        self.optimizer.step()
                        self.optimizer.zero_grad()
                    self.callbacks.call_event("on_batch_end", self)
    """,
    "callbacks are found by name and handed the trainer, the window begins too early": """
        class Trainer:
            def __init__(self, model, optimizer, callbacks, n):
                self.model, self.optimizer, self.callbacks, self.n = model, optimizer, callbacks, n

            def fit(self, loader):
                for i, batch in enumerate(loader):
                    self.run("begin_batch")
                    (self.model(batch).mean() / self.n).backward()
                    self.run("after_backward")
                    if i % self.n == 0:  # wrong: accumulation-off-by-one, dropped-accumulation-tail
                        self.optimizer.step()
                        self.run("after_step")
                        self.optimizer.zero_grad()

            def run(self, name):
                for callback in self.callbacks:
                    method = getattr(callback, name, None)
                    if method:
                        method(self)
    """,
    "callbacks are handed the trainer, which clears too often": """
        class Trainer:
            def __init__(self, model, optimizer, callbacks, n):
                self.model, self.optimizer, self.callbacks, self.n = model, optimizer, callbacks, n

            def fit(self, loader):
                for i, batch in enumerate(loader):
                    self.optimizer.zero_grad()  # wrong: zero-grad-in-accumulation
                    (self.model(batch).mean() / self.n).backward()
                    for callback in self.callbacks:
                        callback.finish_batch(self)
                    if (i + 1) % self.n == 0 or i + 1 == len(loader):
                        self.optimizer.step()
    """,
    "a scheduler that moves with the helper's own steps": """
        from torch.optim.lr_scheduler import StepLR
        from utils import spend

        def train(model, loader, optimizer, accum):
            scheduler = StepLR(optimizer, 10)
            for i, batch in enumerate(loader):
                loss = model(batch)
                loss.backward()
                spend(optimizer)
                scheduler.step()
                if (i + 1) % accum == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "a scheduler that moves ahead of a helper": """
        from torch.optim.lr_scheduler import StepLR
        from utils import summary

        def train(model, loader, optimizer, epochs):
            scheduler = StepLR(optimizer, 10)
            for epoch in range(epochs):
                scheduler.step()  # wrong: scheduler-before-optimizer
                for batch in loader:
                    optimizer.zero_grad()
                    model(batch).mean().backward()
                    optimizer.step()
                summary(model)
    """,
    "a helper made the first updates before the scheduler moves": """
        from torch.optim.lr_scheduler import StepLR
        from utils import warm_up

        def train(model, loader, optimizer, epochs):
            scheduler = StepLR(optimizer, 10)
            warm_up(model, optimizer, loader)
            for epoch in range(epochs):
                scheduler.step()
                for batch in loader:
                    optimizer.zero_grad()
                    model(batch).mean().backward()
                    optimizer.step()
    """,
    "a helper unscales in front of the clip": """
        import torch
        from utils import to_true_gradients

        def train(model, criterion, loader, optimizer, scaler):
            for x, y in loader:
                optimizer.zero_grad()
                with torch.autocast("cuda"):
                    loss = criterion(model(x), y)
                scaler.scale(loss).backward()
                to_true_gradients(scaler, optimizer)
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                scaler.step(optimizer)
                scaler.update()
    """,
    "clipped while scaled in front of the helper": """
        import torch
        from utils import tell

        def train(model, criterion, loader, optimizer, scaler):
            for x, y in loader:
                optimizer.zero_grad()
                with torch.autocast("cuda"):
                    loss = criterion(model(x), y)
                scaler.scale(loss).backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # wrong: clip-scaled-gradients
                scaler.step(optimizer)
                scaler.update()
                tell(optimizer, scaler)
    """,
    "a helper flushes the rest of the epoch": """
        from utils import finish_epoch

        def train(model, loader, optimizer, accum, epochs):
            for epoch in range(epochs):
                for i, batch in enumerate(loader):
                    loss = model(batch) / accum
                    loss.backward()
                    if (i + 1) % accum == 0:
                        optimizer.step()
                        optimizer.zero_grad()
                finish_epoch(optimizer)
    """,
    "the rest of an epoch leaks past a call that saves": """
        from utils import save_all

        def train(model, loader, optimizer, accum, epochs):
            for epoch in range(epochs):
                for i, batch in enumerate(loader):
                    loss = model(batch) / accum
                    loss.backward()
                    if (i + 1) % accum == 0:  # wrong: dropped-accumulation-tail
                        optimizer.step()
                        optimizer.zero_grad()
                save_all(model, optimizer)
    """,
}

_DIVIDED = {
    "a rate in a dictionary that is divided in place and merged into another": """
        import torch

        class Solver:
            defaults = {"lr": 1e-4, "momentum": 0.9}

            def __init__(self, optim, optim_args):
                merged = self.defaults.copy()
                merged.update(optim_args)
                self.optim, self.optim_args = optim, merged

            def train(self, model, loader, pieces=1):
                optim = self.optim(model.parameters(), **self.optim_args)
                counter = 0
                for x, y in loader:
                    counter += 1
                    torch.nn.functional.mse_loss(model(x), y).backward()
                    if counter == pieces:
                        counter = 0
                        optim.step()
                        optim.zero_grad()

        def main(model, loader):
            batchsize = 20
            minibatchsize = 2
            args = {"lr": 1e-2}
            pieces = batchsize / minibatchsize
            args["lr"] /= pieces
            Solver(torch.optim.SGD, args).train(model, loader, pieces=pieces)
    """,
    "a rate in a dictionary that is merged as it is": """
        import torch

        class Solver:
            defaults = {"lr": 1e-4, "momentum": 0.9}

            def __init__(self, optim, optim_args):
                merged = self.defaults.copy()
                merged.update(optim_args)
                self.optim, self.optim_args = optim, merged

            def train(self, model, loader, pieces=1):
                optim = self.optim(model.parameters(), **self.optim_args)
                counter = 0
                for x, y in loader:
                    counter += 1
                    torch.nn.functional.mse_loss(model(x), y).backward()  # wrong: unscaled-accumulation-loss
                    if counter == pieces:
                        counter = 0
                        optim.step()
                        optim.zero_grad()

        def main(model, loader):
            batchsize = 20
            minibatchsize = 2
            args = {"lr": 1e-2}
            pieces = batchsize / minibatchsize
            Solver(torch.optim.SGD, args).train(model, loader, pieces=pieces)
    """,
    "divided in place on an attribute": """
        def train(model, loader, optimizer, n):
            for i, batch in enumerate(loader):
                result = model(**batch)
                result.loss /= n
                result.loss.backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "divided in place in a dictionary": """
        def train(model, loader, optimizer, n):
            for i, batch in enumerate(loader):
                out = model(**batch)
                out["loss"] /= n
                out["loss"].backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "divided by div_ on an attribute": """
        def train(model, loader, optimizer, n):
            for i, batch in enumerate(loader):
                out = model(**batch)
                out.loss.div_(n)
                out.loss.backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "assigned to the attribute of an object of the trainer": """
        class Trainer:
            def __init__(self, model, optimizer, n):
                self.model, self.optimizer, self.n = model, optimizer, n

            def run(self, loader):
                for i, batch in enumerate(loader):
                    self.out = self.model(**batch)
                    self.out.loss = self.out.loss / self.n
                    self.out.loss.backward()
                    if (i + 1) % self.n == 0 or i + 1 == len(loader):
                        self.optimizer.step()
                        self.optimizer.zero_grad()
    """,
    "another attribute of the result is divided": """
        def train(model, loader, optimizer, n):
            for i, batch in enumerate(loader):
                result = model(**batch)
                result.perplexity /= n
                result.loss.backward()  # wrong: unscaled-accumulation-loss
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "the attribute is divided after the backward, for the log": """
        def train(model, loader, optimizer, n):
            for i, batch in enumerate(loader):
                result = model(**batch)
                result.loss.backward()  # wrong: unscaled-accumulation-loss
                result.loss /= n
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "the attribute of the batch before is divided": """
        def train(model, loader, optimizer, n):
            for i, batch in enumerate(loader):
                result = model(**batch)
                result.loss /= n
                result = model(**batch)
                result.loss.backward()  # wrong: unscaled-accumulation-loss
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
}

_SUM = {
    "a sum by its constructor, moved to a device": """
        import torch

        def train(model, loader, optimizer, n):
            criterion = torch.nn.BCELoss(reduction="sum").cuda()
            for i, (x, y) in enumerate(loader):
                loss = criterion(model(x), y)
                loss.backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "a sum by its constructor, moved by to and kept by an object": """
        from torch import nn

        class Trainer:
            def __init__(self, model, optimizer, device, n):
                self.model, self.optimizer, self.n = model, optimizer, n
                self.loss_of = nn.MSELoss(reduction="sum").to(device)

            def run(self, loader):
                for i, (x, y) in enumerate(loader):
                    self.loss_of(self.model(x), y).backward()
                    if (i + 1) % self.n == 0 or i + 1 == len(loader):
                        self.optimizer.step()
                        self.optimizer.zero_grad()
    """,
    "a sum in the old words": """
        import torch.nn as nn

        def train(model, loader, optimizer, n):
            criterion = nn.CrossEntropyLoss(size_average=False).cuda()
            for i, (x, y) in enumerate(loader):
                loss = criterion(model(x), y)
                loss.backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "a sum of a function": """
        import torch.nn.functional as F

        def train(model, loader, optimizer, n):
            for i, (x, y) in enumerate(loader):
                loss = F.nll_loss(model(x), y, reduction="sum")
                loss.backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "a sum by a dictionary of options": """
        import torch

        OPTIONS = {"reduction": "sum"}

        def train(model, loader, optimizer, n):
            criterion = torch.nn.CrossEntropyLoss(**OPTIONS).cuda()
            for i, (x, y) in enumerate(loader):
                loss = criterion(model(x), y)
                loss.backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "each element is kept and then summed": """
        import torch

        def train(model, loader, optimizer, n):
            criterion = torch.nn.CrossEntropyLoss(reduction="none").cuda()
            for i, (x, y, mask) in enumerate(loader):
                loss = (criterion(model(x), y) * mask).sum()
                loss.backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "one of several sums": """
        import torch.nn as nn
        LOSSES = {"mse": nn.MSELoss(reduction="sum"), "l1": nn.L1Loss(reduction="sum")}
        def train(model, loader, opt, n, kind):
            crit = LOSSES[kind].cuda()
            for i, (x, y) in enumerate(loader):
                crit(model(x), y).backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    opt.step()
                    opt.zero_grad()
    """,
    "a sum or a mean, nobody knows": """
        import torch.nn as nn
        LOSSES = {"mse": nn.MSELoss(reduction="sum"), "l1": nn.L1Loss()}
        def train(model, loader, opt, n, kind):
            crit = LOSSES[kind].cuda()
            for i, (x, y) in enumerate(loader):
                crit(model(x), y).backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    opt.step()
                    opt.zero_grad()
    """,
    "a sum by a setting": """
        import torch.nn as nn
        def train(model, loader, opt, n, args):
            crit = nn.CrossEntropyLoss(reduction=args.reduction)
            for i, (x, y) in enumerate(loader):
                crit(model(x), y).backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    opt.step()
                    opt.zero_grad()
    """,
    "a sum of a function that is bound before": """
        import functools
        import torch.nn.functional as F
        def train(model, loader, opt, n):
            crit = functools.partial(F.cross_entropy, reduction="sum")
            for i, (x, y) in enumerate(loader):
                crit(model(x), y).backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    opt.step()
                    opt.zero_grad()
    """,
    "a sum inside a criterion of the file's own": """
        import torch, torch.nn as nn
        class L(nn.Module):
            def __init__(self):
                super().__init__()
                self.bce = nn.BCEWithLogitsLoss(reduction="sum")
            def forward(self, a, b):
                return self.bce(a, b)
        def train(model, loader, opt, n):
            crit = L().cuda()
            for i, (x, y) in enumerate(loader):
                crit(model(x), y).backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    opt.step()
                    opt.zero_grad()
    """,
    "a mean inside a criterion of the file's own, beside a sum that it does not use": """
        import torch, torch.nn as nn
        class L(nn.Module):
            def __init__(self):
                super().__init__()
                self.total = nn.BCEWithLogitsLoss(reduction="sum")
                self.bce = nn.BCEWithLogitsLoss()
            def forward(self, a, b):
                return self.bce(a, b)
        def train(model, loader, opt, n):
            crit = L().cuda()
            for i, (x, y) in enumerate(loader):
                crit(model(x), y).backward()  # wrong: unscaled-accumulation-loss
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    opt.step()
                    opt.zero_grad()
    """,
    "one of several means": """
        import torch.nn as nn
        LOSSES = {"mse": nn.MSELoss(), "l1": nn.L1Loss()}
        def train(model, loader, opt, n, kind):
            crit = LOSSES[kind].cuda()
            for i, (x, y) in enumerate(loader):
                crit(model(x), y).backward()  # wrong: unscaled-accumulation-loss
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    opt.step()
                    opt.zero_grad()
    """,
    "a mean, moved to a device": """
        import torch

        def train(model, loader, optimizer, n):
            criterion = torch.nn.BCELoss(reduction="mean").cuda()
            for i, (x, y) in enumerate(loader):
                loss = criterion(model(x), y)
                loss.backward()  # wrong: unscaled-accumulation-loss
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "a mean in the old words": """
        import torch.nn as nn

        def train(model, loader, optimizer, n):
            criterion = nn.CrossEntropyLoss(size_average=True).cuda()
            for i, (x, y) in enumerate(loader):
                loss = criterion(model(x), y)
                loss.backward()  # wrong: unscaled-accumulation-loss
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "a sum in one criterion, a mean in the one that is used": """
        import torch

        def train(model, loader, optimizer, n):
            total = torch.nn.CrossEntropyLoss(reduction="sum").cuda()
            criterion = torch.nn.CrossEntropyLoss().cuda()
            seen = 0.0
            for i, (x, y) in enumerate(loader):
                out = model(x)
                loss = criterion(out, y)
                seen += total(out, y).item()
                loss.backward()  # wrong: unscaled-accumulation-loss
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "each element is kept and then averaged": """
        import torch

        def train(model, loader, optimizer, n):
            criterion = torch.nn.CrossEntropyLoss(reduction="none").cuda()
            for i, (x, y) in enumerate(loader):
                loss = criterion(model(x), y).mean()
                loss.backward()  # wrong: unscaled-accumulation-loss
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
}

_FACTORY = {
    "teacher and student come from one factory": """
        import torch
        from models import build_model

        def main(loader, val_loader, epochs):
            student = build_model("small")
            teacher = build_model("large")
            optimizer = torch.optim.SGD(student.parameters(), 0.1)
            for epoch in range(epochs):
                student.train()
                teacher.eval()
                for x, y in loader:
                    with torch.no_grad():
                        target = teacher(x)
                    loss = torch.nn.functional.mse_loss(student(x), target)
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
    """,
    "two networks of one registry, the second stays in eval": """
        import torch
        from models import models

        def main(loader, epochs):
            net = models["resnet18"](num_classes=10).cuda()
            reference = models["resnet18"](num_classes=10).cuda()
            optimizer = torch.optim.SGD(net.parameters(), 0.1)
            net.train()
            for epoch in range(epochs):
                for x, y in loader:
                    loss = torch.nn.functional.cross_entropy(net(x), y)
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                reference.eval()
                with torch.no_grad():
                    for x, y in loader:
                        reference(x)
    """,
    "both come from one function of the file": """
        import torch
        import torchvision

        def make(name):
            return torchvision.models.get_model(name).cuda()

        def main(loader, epochs):
            student, teacher = make("resnet18"), make("resnet50")
            optimizer = torch.optim.SGD(student.parameters(), 0.1)
            student.train()
            for epoch in range(epochs):
                for x, y in loader:
                    teacher.eval()
                    with torch.no_grad():
                        target = teacher(x)
                    loss = torch.nn.functional.mse_loss(student(x), target)
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
    """,
    "one clips the generator, the other was made by the same factory": """
        import torch
        from networks import make_net

        def main(loader, n):
            first, second = make_net(3), make_net(1)
            opt_first = torch.optim.Adam(first.parameters())
            opt_second = torch.optim.Adam(second.parameters())
            for i, x in enumerate(loader):
                loss = first(x).mean() / n
                loss.backward()
                other = second(x).mean()
                opt_second.zero_grad()
                other.backward()
                torch.nn.utils.clip_grad_norm_(second.parameters(), 1.0)
                opt_second.step()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    opt_first.step()
                    opt_first.zero_grad()
    """,
    "the factory has a local name, and is called twice in one statement": """
        import torch
        from zoo import create
        def build(cfg):
            model = create(cfg.arch)
            return model.cuda()
        def main(cfg, loader, epochs):
            student, teacher = build(cfg), build(cfg)
            opt = torch.optim.SGD(student.parameters(), 0.1)
            student.train()
            for epoch in range(epochs):
                for x in loader:
                    opt.zero_grad()
                    teacher.eval()
                    with torch.no_grad():
                        t = teacher(x)
                    (student(x) - t).pow(2).mean().backward()
                    opt.step()
    """,
    "the factory is a method": """
        import torch, timm
        class T:
            def __init__(self, cfg):
                self.student = self.make(cfg)
                self.teacher = self.make(cfg)
                self.opt = torch.optim.SGD(self.student.parameters(), 0.1)
            def make(self, cfg):
                net = timm.create_model(cfg.arch)
                net.to(cfg.device)
                return net
            def fit(self, loader, epochs):
                self.student.train()
                for e in range(epochs):
                    for x in loader:
                        self.opt.zero_grad()
                        with torch.no_grad():
                            t = self.teacher(x)
                        (self.student(x) - t).pow(2).mean().backward()
                        self.opt.step()
                    self.teacher.eval()
                    with torch.no_grad():
                        for x in loader:
                            self.teacher(x)
    """,
    "two networks that teach each other": """
        import torch
        from zoo import create
        def main(loader, n, epochs):
            nets = [create("r18") for _ in range(2)]
            opts = [torch.optim.SGD(net.parameters(), 0.1) for net in nets]
            for e in range(epochs):
                for x, y in loader:
                    for net, opt in zip(nets, opts):
                        opt.zero_grad()
                        loss = torch.nn.functional.cross_entropy(net(x), y)
                        loss.backward()
                        opt.step()
    """,
    "the student of the factory is left in eval": """
        import torch
        from models import build_model

        def main(loader, val_loader, epochs):
            student = build_model("small")
            teacher = build_model("large")
            optimizer = torch.optim.SGD(student.parameters(), 0.1)
            student.train()
            for epoch in range(epochs):
                for x, y in loader:
                    with torch.no_grad():
                        target = teacher(x)
                    loss = torch.nn.functional.mse_loss(student(x), target)
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                student.eval()  # wrong: missing-train-mode
                with torch.no_grad():
                    for x, y in val_loader:
                        student(x)
    """,
    "the wrong one of the factory's networks is cleared": """
        import torch
        from models import build_model

        def main(loader, n):
            student = build_model("small")
            teacher = build_model("large")
            optimizer = torch.optim.SGD(student.parameters(), 0.1)
            for x, y in loader:
                with torch.no_grad():
                    target = teacher(x)
                loss = torch.nn.functional.mse_loss(student(x), target)
                loss.backward()
                optimizer.step()  # wrong: missing-zero-grad
                teacher.zero_grad()
    """,
}

_NAMES = {
    "two local optimizers alike in two functions": """
        import torch

        def pretrain(model, loader):
            opt = torch.optim.Adam(model.parameters())
            for x in loader:
                opt.zero_grad()
                model(x).mean().backward()
                opt.step()

        def finetune(model, loader, n):
            opt = torch.optim.SGD(model.parameters(), 0.1)
            for i, x in enumerate(loader):
                (model(x).mean() / n).backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    opt.step()
                    opt.zero_grad()

        def main(model, loader, n):
            pretrain(model, loader)
            finetune(model, loader, n)
    """,
    "two local networks alike in two functions, one in eval": """
        import torch

        def train_gate(loader, epochs):
            net = torch.nn.Linear(4, 4)
            opt = torch.optim.Adam(net.parameters())
            net.train()
            for epoch in range(epochs):
                for x in loader:
                    opt.zero_grad()
                    net(x).mean().backward()
                    opt.step()
                probe(loader)

        def probe(loader):
            net = torch.nn.Linear(4, 1)
            net.eval()
            with torch.no_grad():
                for x in loader:
                    net(x)
    """,
    "two imported networks alike in two functions, one in eval": """
        import torch
        from zoo import load

        def main(loader, epochs):
            model = load("student")
            opt = torch.optim.Adam(model.parameters())
            model.train()
            for epoch in range(epochs):
                for x in loader:
                    opt.zero_grad()
                    model(x).mean().backward()
                    opt.step()
                print(score(loader))

        def score(loader):
            model = load("judge")
            model.eval()
            with torch.no_grad():
                return sum(model(x).sum().item() for x in loader)
    """,
    "two scalers alike in two functions": """
        import torch

        def first(model, loader, opt):
            scaler = torch.cuda.amp.GradScaler()
            for x in loader:
                opt.zero_grad()
                with torch.cuda.amp.autocast():
                    loss = model(x).mean()
                scaler.scale(loss).backward()
                scaler.unscale_(opt)
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                scaler.step(opt)
                scaler.update()

        def second(model, loader, opt):
            scaler = torch.cuda.amp.GradScaler(enabled=False)
            for x in loader:
                opt.zero_grad()
                model(x).mean().backward()
                opt.step()

        def main(model, loader, opt):
            first(model, loader, opt)
            second(model, loader, opt)
    """,
    "the same network under two names of two functions": """
        import torch

        def main(loader, epochs):
            net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout())
            opt = torch.optim.Adam(net.parameters())
            net.train()
            for epoch in range(epochs):
                for x in loader:
                    opt.zero_grad()
                    net(x).mean().backward()
                    opt.step()
                probe(net, loader)  # wrong: missing-train-mode

        def probe(model, loader):
            model.eval()
            with torch.no_grad():
                for x in loader:
                    model(x)
    """,
}

_FOREIGN = {
    "Warp's tape": """
        import warp as wp
        from warp.optim import Adam

        class Example:
            def __init__(self, params):
                self.optimizer = Adam(params, lr=0.01)
                self.loss = wp.zeros(1, dtype=float, requires_grad=True)

            def step(self):
                tape = wp.Tape()
                with tape:
                    self.forward()
                tape.backward(self.loss)
                self.optimizer.step([self.grad])
                tape.zero()

        def main(example):
            for _ in range(100):
                example.step()
    """,
    "Warp in a notebook of functions": """
        import warp as wp
        import warp.optim

        def train(params, launch, steps):
            optimizer = warp.optim.SGD([params], lr=0.1)
            loss = wp.zeros(1, dtype=float, requires_grad=True)
            for i in range(steps):
                tape = wp.Tape()
                with tape:
                    launch(loss)
                tape.backward(loss)
                optimizer.step([params.grad])
    """,
    "Paddle": """
        import paddle

        def train(model, loader, n):
            scheduler = paddle.optimizer.lr.NoamDecay(512, 100)
            optimizer = paddle.optimizer.Adam(scheduler, parameters=model.parameters())
            for i, (x, y) in enumerate(loader):
                loss = paddle.nn.functional.cross_entropy(model(x), y)
                loss.backward()
                if (i + 1) % n == 0:
                    optimizer.step()
                    optimizer.clear_grad()
                scheduler.step()
    """,
    "MindSpore": """
        import mindspore as ms
        from mindspore import nn, ops

        def train(net, loader, loss_fn):
            optimizer = nn.Adam(net.trainable_params())
            for data, label in loader:
                loss = loss_fn(net(data), label)
                loss.backward()
                optimizer.step()
    """,
    "tinygrad": """
        from tinygrad import Tensor
        from tinygrad.nn.optim import SGD

        def train(model, batches):
            optimizer = SGD(model.parameters, lr=0.1)
            for x, y in batches:
                loss = model(x).sparse_categorical_crossentropy(y)
                loss.backward()
                optimizer.step()
    """,
    "jittor, whose step clears": """
        import jittor as jt
        from jittor import nn

        def train(model, loader):
            optimizer = nn.SGD(model.parameters(), 0.1)
            for x, y in loader:
                loss = nn.cross_entropy_loss(model(x), y)
                optimizer.backward(loss)
                optimizer.step()
    """,
    "MXNet": """
        from mxnet import autograd, gluon

        def train(net, loader, loss_fn):
            trainer = gluon.Trainer(net.collect_params(), "sgd")
            optimizer = trainer
            for x, y in loader:
                with autograd.record():
                    loss = loss_fn(net(x), y)
                loss.backward()
                optimizer.step(len(x))
    """,
    "TensorFlow with an optimizer that has a step": """
        import tensorflow as tf
        from mytf import Optimizer

        def train(model, dataset):
            optimizer = Optimizer(model)
            for x, y in dataset:
                loss = model(x, y)
                loss.backward()
                optimizer.step()
    """,
    "the library is imported in the function": """
        def train(model, loader):
            import oneflow as flow

            optimizer = flow.optim.SGD(model.parameters(), 0.1)
            for x, y in loader:
                loss = flow.nn.functional.cross_entropy(model(x), y)
                loss.backward()
                optimizer.step()
    """,
    "an engine of the file's own with torch's names": """
        import numpy as np

        class Value:
            def __init__(self, data):
                self.data, self.grad = data, 0.0

            def backward(self):
                self.grad = 1.0

        class SGD:
            def __init__(self, parameters, lr):
                self.parameters, self.lr = parameters, lr

            def step(self):
                for p in self.parameters:
                    p.data -= self.lr * p.grad
                    p.grad = 0.0

        def train(model, data):
            optimizer = SGD(model.parameters(), 0.1)
            for x, y in data:
                loss = model(x, y)
                loss.backward()
                optimizer.step()
    """,
    "Keras, in torch's words": """
        from tensorflow import keras
        def train(model, data, optimizer, loss_fn):
            for x, y in data:
                loss = loss_fn(model(x), y)
                loss.backward()
                optimizer.step()
    """,
    "a book's own package around torch": """
        from d2l import torch as d2l
        def train(net, data, loss, optimizer):
            for x, y in data:
                l = loss(net(x), y)
                l.mean().backward()
                optimizer.step()  # wrong: missing-zero-grad
    """,
    "a fragment without imports is judged": """
        def train(model, loader, optimizer):
            for x, y in loader:
                loss = model(x, y)
                loss.backward()
                optimizer.step()  # wrong: missing-zero-grad
    """,
    "a fragment with imports of Python only is judged": """
        import logging
        import numpy as np

        def train(model, loader, optimizer):
            for x, y in loader:
                loss = model(x, y)
                loss.backward()
                optimizer.step()  # wrong: missing-zero-grad
                logging.info("%s", np.round(loss.item(), 3))
    """,
    "JAX reads the data, torch trains": """
        import jax.numpy as jnp
        import torch

        def train(model, loader):
            optimizer = torch.optim.SGD(model.parameters(), 0.1)
            for x, y in loader:
                loss = torch.nn.functional.cross_entropy(model(x), y)
                loss.backward()
                optimizer.step()  # wrong: missing-zero-grad
    """,
    "TensorFlow only writes the log": """
        import tensorflow as tf
        from torch import nn, optim

        def train(model, loader):
            writer = tf.summary.create_file_writer("logs")
            optimizer = optim.SGD(model.parameters(), 0.1)
            for x, y in loader:
                loss = nn.functional.cross_entropy(model(x), y)
                loss.backward()
                optimizer.step()  # wrong: missing-zero-grad
    """,
    "a file with both: Warp's is not judged, torch's is": """
        import torch
        import warp as wp
        import warp.optim

        def train_warp(params, launch, steps):
            optimizer = warp.optim.Adam([params], lr=0.1)
            loss = wp.zeros(1, dtype=float, requires_grad=True)
            for i in range(steps):
                tape = wp.Tape()
                with tape:
                    launch(loss)
                tape.backward(loss)
                optimizer.step([params.grad])
                tape.zero()

        def train_torch(model, loader):
            optimizer = torch.optim.Adam(model.parameters())
            for x in loader:
                loss = model(x).mean()
                loss.backward()
                optimizer.step()  # wrong: missing-zero-grad
    """,
    "what Paddle computes is divided beside torch": """
        import paddle
        import torch

        def train(model, loader, n):
            optimizer = paddle.optimizer.AdamW(parameters=model.parameters())
            for i, (x, y) in enumerate(loader):
                loss = paddle.nn.functional.cross_entropy(model(x), y)
                (loss / 2).backward()
                if (i + 1) % n == 0:
                    optimizer.step()
                    optimizer.clear_grad()
            torch.save(n, "n.pt")
    """,
    "what Warp hands over to torch is torch's": """
        import torch
        import warp as wp

        def train(launch, model, loader):
            optimizer = torch.optim.Adam(model.parameters())
            for x in loader:
                out = wp.to_torch(launch(wp.from_torch(model(x))))
                loss = out.pow(2).mean()
                loss.backward()
                optimizer.step()  # wrong: missing-zero-grad
    """,
    "Accelerate without an import of torch is judged": """
        from accelerate import Accelerator
        import tensorflow_datasets as tfds

        def train(model, loader, optimizer):
            accelerator = Accelerator()
            model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
            for batch in loader:
                loss = model(**batch).loss
                accelerator.backward(loss)
                optimizer.step()  # wrong: missing-zero-grad
    """,
}

_ACCELERATE = {
    "clip_grad_value_ unscales by itself": """
        from accelerate import Accelerator

        def train(model, loader, optimizer):
            accelerator = Accelerator(mixed_precision="fp16")
            model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
            for batch in loader:
                loss = model(**batch).loss
                accelerator.backward(loss)
                accelerator.clip_grad_value_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
    """,
    "clip_grad_value_ of an accelerator that is handed in, when it synchronises": """
        def train(accelerator, model, loader, optimizer):
            for batch in loader:
                with accelerator.accumulate(model):
                    loss = model(**batch).loss
                    accelerator.backward(loss)
                    if accelerator.sync_gradients:
                        accelerator.clip_grad_value_(model.parameters(), 1.0)
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "clip_grad_value_ of an accelerator kept by an object": """
        from accelerate import Accelerator

        class Trainer:
            def __init__(self, model, optimizer):
                self.accelerator = Accelerator(mixed_precision="fp16")
                self.model, self.opt = self.accelerator.prepare(model, optimizer)

            def train(self, loader):
                for batch in loader:
                    self.opt.zero_grad()
                    self.accelerator.backward(self.model(batch))
                    self.accelerator.clip_grad_value_(self.model.parameters(), 0.5)
                    self.opt.step()
    """,
    "the accelerator is handed in and only its method tells it": """
        def step(acc, model, batch, opt):
            loss = model(batch)
            acc.backward(loss)
            acc.clip_grad_value_(model.parameters(), 1.0)
            opt.step()
            opt.zero_grad()

        def train(acc, model, loader, opt):
            for batch in loader:
                step(acc, model, batch, opt)
    """,
    "torch's own clip under float16": """
        import torch
        from accelerate import Accelerator

        def train(model, loader, optimizer):
            accelerator = Accelerator(mixed_precision="fp16")
            model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
            for batch in loader:
                loss = model(**batch).loss
                accelerator.backward(loss)
                torch.nn.utils.clip_grad_value_(model.parameters(), 1.0)  # wrong: clip-scaled-gradients
                optimizer.step()
                optimizer.zero_grad()
    """,
    "clip_grad_value_ at each micro-batch": """
        from accelerate import Accelerator

        def train(model, loader, optimizer):
            accelerator = Accelerator(gradient_accumulation_steps=4)
            model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
            for batch in loader:
                with accelerator.accumulate(model):
                    loss = model(**batch).loss
                    accelerator.backward(loss)
                    accelerator.clip_grad_value_(model.parameters(), 1.0)  # wrong: clip-per-micro-batch
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "clip_grad_value_ behind the step": """
        from accelerate import Accelerator

        def train(model, loader, optimizer):
            accelerator = Accelerator()
            model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
            for batch in loader:
                loss = model(**batch).loss
                accelerator.backward(loss)
                optimizer.step()
                accelerator.clip_grad_value_(model.parameters(), 1.0)  # wrong: clip-after-step
                optimizer.zero_grad()
    """,
}

_REDUCED = {
    "all_reduce by hand after no_sync": """
        import torch.distributed as dist
        from torch.nn.parallel import DistributedDataParallel as DDP

        def train(net, loader, optimizer, n):
            model = DDP(net)
            for i, batch in enumerate(loader):
                with model.no_sync():
                    (model(batch).mean() / n).backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    for p in model.parameters():
                        dist.all_reduce(p.grad)
                        p.grad /= dist.get_world_size()
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "all_reduce of what has a gradient, and the mean by its operation": """
        import torch
        from torch.nn.parallel import DistributedDataParallel

        def train(net, loader, optimizer, n):
            model = DistributedDataParallel(net)
            for i, batch in enumerate(loader):
                with model.no_sync():
                    (model(batch).mean() / n).backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    for name, p in model.named_parameters():
                        if p.grad is not None:
                            torch.distributed.all_reduce(p.grad.data, op=torch.distributed.ReduceOp.AVG)
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "a helper of the file reduces": """
        import torch.distributed as dist
        from torch.nn.parallel import DistributedDataParallel as DDP

        def average_gradients(model):
            size = float(dist.get_world_size())
            for param in model.parameters():
                if param.grad is None:
                    continue
                dist.all_reduce(param.grad.data, op=dist.ReduceOp.SUM)
                param.grad.data /= size

        def train(net, loader, optimizer, n):
            model = DDP(net)
            for i, batch in enumerate(loader):
                with model.no_sync():
                    (model(batch).mean() / n).backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    average_gradients(model)
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "a helper of another file reduces": """
        from torch.nn.parallel import DistributedDataParallel as DDP
        from comm import share

        def train(net, loader, optimizer, n):
            model = DDP(net)
            for i, batch in enumerate(loader):
                with model.no_sync():
                    (model(batch).mean() / n).backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    share(model)
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "gradients are gathered in a list and reduced at once": """
        import torch
        import torch.distributed as dist
        from torch.nn.parallel import DistributedDataParallel as DDP

        def train(net, loader, optimizer, n):
            model = DDP(net)
            for i, batch in enumerate(loader):
                with model.no_sync():
                    (model(batch).mean() / n).backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    grads = [p.grad for p in model.parameters() if p.grad is not None]
                    flat = torch._utils._flatten_dense_tensors(grads)
                    dist.all_reduce(flat)
                    flat /= dist.get_world_size()
                    for grad, new in zip(grads, torch._utils._unflatten_dense_tensors(flat, grads)):
                        grad.copy_(new)
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "a helper of another file is handed the parameters": """
        from torch.nn.parallel import DistributedDataParallel as DDP
        import comm
        def train(net, loader, opt, n):
            model = DDP(net)
            for i, x in enumerate(loader):
                with model.no_sync():
                    (model(x).mean() / n).backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    comm.allreduce_grads(model.parameters())
                    opt.step()
                    opt.zero_grad()
    """,
    "a method reduces, and skips what has no gradient": """
        import torch.distributed as dist
        from torch.nn.parallel import DistributedDataParallel as DDP
        class Runner:
            def __init__(self, net, opt):
                self.model = DDP(net)
                self.opt = opt
            def sync(self):
                for n, p in self.model.named_parameters():
                    if not p.requires_grad or p.grad is None:
                        continue
                    dist.all_reduce(p.grad)
                    p.grad.div_(dist.get_world_size())
            def fit(self, loader, n):
                for i, x in enumerate(loader):
                    with self.model.no_sync():
                        (self.model(x).mean() / n).backward()
                    if (i + 1) % n == 0 or i + 1 == len(loader):
                        self.sync()
                        self.opt.step()
                        self.opt.zero_grad()
    """,
    "only the loss is reduced": """
        import torch.distributed as dist
        from torch.nn.parallel import DistributedDataParallel as DDP

        def train(net, loader, optimizer, n):
            model = DDP(net)
            for i, batch in enumerate(loader):
                with model.no_sync():
                    loss = model(batch).mean() / n
                    loss.backward()
                shown = loss.detach()
                dist.all_reduce(shown)
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()  # wrong: step-without-sync
                    optimizer.zero_grad()
    """,
    "only the parameters are counted": """
        from torch.nn.parallel import DistributedDataParallel as DDP
        from comm import count_parameters

        def train(net, loader, optimizer, n):
            model = DDP(net)
            for i, batch in enumerate(loader):
                with model.no_sync():
                    (model(batch).mean() / n).backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()  # wrong: step-without-sync
                    optimizer.zero_grad()
                    print(count_parameters(model))
    """,
}

_ON_PURPOSE = {
    "PGD for the embeddings, which clears between its steps": """
        def train(model, loader, optimizer, pgd, steps=3):
            for x, y in loader:
                loss = model(x, y)
                loss.backward()
                pgd.backup_grad()
                for t in range(steps):
                    pgd.attack(is_first=(t == 0))
                    if t != steps - 1:
                        model.zero_grad()
                    else:
                        pgd.restore_grad()
                    model(x, y).backward()
                pgd.restore()
                optimizer.step()
                model.zero_grad()
    """,
    "PGD inside the loop, whose gradients are for the input": """
        import torch

        def train(model, criterion, loader, optimizer, eps, alpha):
            for x, y in loader:
                delta = torch.zeros_like(x, requires_grad=True)
                for _ in range(7):
                    loss = criterion(model(x + delta), y)
                    loss.backward()
                    delta.data = (delta + alpha * delta.grad.sign()).clamp(-eps, eps)
                    delta.grad.zero_()
                optimizer.zero_grad()
                criterion(model(x + delta.detach()), y).backward()
                optimizer.step()
    """,
    "PGD in a helper, which clears the model's gradients each time": """
        import torch

        def attack(model, criterion, x, y, eps, steps):
            adv = x.clone().detach()
            for _ in range(steps):
                adv.requires_grad_(True)
                model.zero_grad()
                loss = criterion(model(adv), y)
                loss.backward()
                adv = (adv + eps * adv.grad.sign()).detach()
            return adv

        def train(model, criterion, loader, optimizer, accum):
            for i, (x, y) in enumerate(loader):
                adv = attack(model, criterion, x, y, 0.01, 5)
                optimizer.zero_grad()
                criterion(model(adv), y).backward()
                optimizer.step()
    """,
    "free adversarial training: each replay is an update": """
        import torch

        def train(model, criterion, loader, optimizer, delta, eps, replays):
            for x, y in loader:
                for _ in range(replays):
                    noise = delta[: x.size(0)].clone().requires_grad_(True)
                    loss = criterion(model(x + noise), y)
                    loss.backward()
                    delta[: x.size(0)] += eps * noise.grad.sign()
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "FGM, which attacks and restores": """
        def train(model, loader, optimizer, fgm, accum):
            for i, (x, y) in enumerate(loader):
                (model(x, y) / accum).backward()
                fgm.attack()
                (model(x, y) / accum).backward()
                fgm.restore()
                if (i + 1) % accum == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "learn2learn, with the mean over tasks taken by hand": """
        import torch, learn2learn as l2l
        def main(tasks, model, loss_fn, n):
            maml = l2l.algorithms.MAML(model, lr=0.1)
            opt = torch.optim.Adam(maml.parameters())
            for it in range(1000):
                opt.zero_grad()
                for _ in range(n):
                    learner = maml.clone()
                    x, y = tasks.sample()
                    for _ in range(5):
                        learner.adapt(loss_fn(learner(x), y))
                    loss_fn(learner(x), y).backward()
                for p in maml.parameters():
                    p.grad.mul_(1.0 / n)
                opt.step()
    """,
    "MAML with an inner optimizer that is made anew": """
        import copy
        import torch

        def meta_train(model, tasks, meta_opt, criterion, steps):
            for batch in tasks:
                meta_opt.zero_grad()
                for support, query in batch:
                    learner = copy.deepcopy(model)
                    inner = torch.optim.SGD(learner.parameters(), 0.01)
                    for _ in range(steps):
                        inner.zero_grad()
                        criterion(learner(support[0]), support[1]).backward()
                        inner.step()
                    inner.zero_grad()
                    criterion(learner(query[0]), query[1]).backward()
                    for p, q in zip(model.parameters(), learner.parameters()):
                        p.grad = q.grad.clone() if p.grad is None else p.grad + q.grad
                meta_opt.step()
    """,
    "MAML that clears the learner between support and query": """
        import torch

        def meta_train(maml, tasks, opt, criterion, tasks_per_update):
            for tasks_now in tasks:
                opt.zero_grad()
                for support, query in tasks_now:
                    learner = maml.clone()
                    for _ in range(5):
                        learner.adapt(criterion(learner(support[0]), support[1]))
                    loss = criterion(learner(query[0]), query[1])
                    loss.backward()
                for p in maml.parameters():
                    p.grad.data.mul_(1.0 / tasks_per_update)
                opt.step()
    """,
    "Reptile, which only uses the inner optimizer": """
        import copy
        import torch

        def reptile(model, tasks, criterion, epsilon, steps):
            for task in tasks:
                start = copy.deepcopy(model.state_dict())
                opt = torch.optim.SGD(model.parameters(), 0.01)
                for _ in range(steps):
                    x, y = task.sample()
                    opt.zero_grad()
                    criterion(model(x), y).backward()
                    opt.step()
                after = model.state_dict()
                model.load_state_dict({k: start[k] + epsilon * (after[k] - start[k]) for k in start})
    """,
    "the first-order gradient for a sharpness term is cleared": """
        import torch

        def train(model, criterion, loader, optimizer, rho):
            for x, y in loader:
                criterion(model(x), y).backward()
                with torch.no_grad():
                    scale = rho / torch.norm(torch.stack([p.grad.norm() for p in model.parameters()]))
                    moves = []
                    for p in model.parameters():
                        move = p.grad * scale
                        p.add_(move)
                        moves.append(move)
                optimizer.zero_grad()
                criterion(model(x), y).backward()
                with torch.no_grad():
                    for p, move in zip(model.parameters(), moves):
                        p.sub_(move)
                optimizer.step()
                optimizer.zero_grad()
    """,
    "saliency: the gradients of a first pass are read and cleared": """
        import torch

        def train(model, criterion, loader, optimizer):
            for x, y in loader:
                x.requires_grad_(True)
                criterion(model(x), y).backward()
                weights = x.grad.abs().detach()
                model.zero_grad()
                loss = criterion(model(x * weights), y)
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
    """,
    "a spike gives the whole window up by a flag": """
        import torch

        def train(model, loader, optimizer, accum, limit):
            mean = 0.0
            total = torch.zeros(())
            optimizer.zero_grad()
            for i, batch in enumerate(loader):
                loss = model(batch)
                (loss / accum).backward()
                total += loss.detach()
                if (i + 1) % accum == 0:
                    now = (total / accum).item()
                    total.zero_()
                    skip = False
                    if mean > 0 and now > mean * limit:
                        skip = True
                        optimizer.zero_grad()
                    if not skip:
                        optimizer.step()
                        optimizer.zero_grad()
                    mean = 0.9 * mean + 0.1 * now
    """,
    "a spike gives the window up, and the rest is stepped behind the loop": """
        def train(model, loader, optimizer, accum, limit):
            mean = 0.0
            for i, batch in enumerate(loader):
                loss = model(batch)
                (loss / accum).backward()
                if (i + 1) % accum == 0:
                    skip = False
                    if mean > 0 and loss.item() > mean * limit:
                        skip = True
                        optimizer.zero_grad()
                    if not skip:
                        optimizer.step()
                        optimizer.zero_grad()
                    mean = 0.9 * mean + 0.1 * loss.item()
            if len(loader) % accum:
                optimizer.step()
                optimizer.zero_grad()
    """,
    "a bad norm gives the window up and goes on": """
        import torch

        def train(model, loader, optimizer, accum):
            for i, batch in enumerate(loader):
                (model(batch) / accum).backward()
                if (i + 1) % accum == 0 or i + 1 == len(loader):
                    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                    if norm > 100.0:
                        optimizer.zero_grad()
                        continue
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "frozen for the first windows: they are thrown away": """
        def train(model, loader, optimizer, accum, freeze):
            updates = 0
            for i, batch in enumerate(loader):
                (model(batch) / accum).backward()
                if (i + 1) % accum == 0:
                    if updates >= freeze:
                        optimizer.step()
                    optimizer.zero_grad()
                    updates += 1
    """,
    "PGD of the file's own keeps the gradients and brings them back": """
        class PGD:
            def __init__(self, model):
                self.model, self.kept = model, {}

            def attack(self, first):
                for name, p in self.model.named_parameters():
                    if "embedding" in name:
                        p.data.add_(p.grad / p.grad.norm())

            def backup_grad(self):
                for name, p in self.model.named_parameters():
                    if p.grad is not None:
                        self.kept[name] = p.grad.clone()

            def restore_grad(self):
                for name, p in self.model.named_parameters():
                    if name in self.kept:
                        p.grad = self.kept[name]

        def train(model, loader, optimizer, steps=3):
            pgd = PGD(model)
            for x, y in loader:
                model(x, y).backward()
                pgd.backup_grad()
                for t in range(steps):
                    pgd.attack(t == 0)
                    if t < steps - 1:
                        optimizer.zero_grad()
                    else:
                        pgd.restore_grad()
                    model(x, y).backward()
                optimizer.step()
                optimizer.zero_grad()
    """,
    "the gradient of each task is kept, and their projection is stepped": """
        import torch

        def project(grads):
            return [torch.stack(parts).mean(0) for parts in zip(*grads)]

        def train(model, criterions, loader, optimizer):
            for x, y in loader:
                grads = []
                for criterion in criterions:
                    optimizer.zero_grad()
                    criterion(model(x), y).backward()
                    grads.append([p.grad.clone() for p in model.parameters()])
                for p, g in zip(model.parameters(), project(grads)):
                    p.grad = g
                optimizer.step()
    """,
    "the gradient of each micro-batch is clipped, kept and summed (private training)": """
        import torch

        def train(model, criterion, loader, optimizer, sigma):
            for batch in loader:
                sums = [torch.zeros_like(p) for p in model.parameters()]
                for x, y in batch:
                    optimizer.zero_grad()
                    criterion(model(x), y).backward()
                    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                    for total, p in zip(sums, model.parameters()):
                        total += p.grad
                for total, p in zip(sums, model.parameters()):
                    p.grad = (total + sigma * torch.randn_like(total)) / len(batch)
                optimizer.step()
    """,
    "the kept gradients are only logged": """
        import torch

        def train(model, criterion, loader, optimizer, accum):
            for i, (x, y) in enumerate(loader):
                optimizer.zero_grad()  # wrong: zero-grad-in-accumulation
                (criterion(model(x), y) / accum).backward()
                norms = [p.grad.norm().item() for p in model.parameters()]
                print(max(norms))
                if (i + 1) % accum == 0 or i + 1 == len(loader):
                    optimizer.step()
    """,
    "the gradient of the input is cleared, in a window": """
        def train(model, criterion, loader, optimizer, accum):
            for i, (x, y) in enumerate(loader):
                x.requires_grad_(True)
                (criterion(model(x), y) / accum).backward()
                print(x.grad.abs().mean())
                x.grad.zero_()
                if (i + 1) % accum == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "each weight of a list is cleared by a helper": """
        def clear(weight):
            if weight.grad is not None:
                weight.grad.zero_()

        def train(model, criterion, loader, optimizer, weights):
            for x, y in loader:
                criterion(model(x), y).backward()
                optimizer.step()
                for weight in weights:
                    clear(weight)
    """,
    "every micro-batch is cleared, spike or not": """
        import torch

        def train(model, loader, optimizer, accum, limit):
            for i, batch in enumerate(loader):
                loss = model(batch)
                if loss.item() < limit:
                    optimizer.zero_grad()  # wrong: zero-grad-in-accumulation
                (loss / accum).backward()
                if (i + 1) % accum == 0 or i + 1 == len(loader):
                    optimizer.step()
    """,
    "the loop over augmentations clears what the one before it gave": """
        def train(model, criterion, loader, optimizer, views, accum):
            for i, (x, y) in enumerate(loader):
                for view in views:
                    optimizer.zero_grad()  # wrong: zero-grad-in-accumulation
                    loss = criterion(model(view(x)), y) / (accum * len(views))
                    loss.backward()
                if (i + 1) % accum == 0 or i + 1 == len(loader):
                    optimizer.step()
    """,
    "the model is cleared between the tasks whose sum is meant": """
        def train(model, criterion, tasks, optimizer):
            for batch in tasks:
                for x, y in batch:
                    model.zero_grad()  # wrong: zero-grad-in-accumulation
                    (criterion(model(x), y) / len(batch)).backward()
                optimizer.step()
    """,
    "an attack in front of the loop's own missing clear": """
        import torch

        def attack(model, criterion, x, y, eps):
            adv = x.clone().detach().requires_grad_(True)
            grad = torch.autograd.grad(criterion(model(adv), y), adv)[0]
            return (x + eps * grad.sign()).detach()

        def train(model, criterion, loader, optimizer):
            for x, y in loader:
                adv = attack(model, criterion, x, y, 0.01)
                criterion(model(adv), y).backward()
                optimizer.step()  # wrong: missing-zero-grad
    """,
}

_OWNED = {
    "an optimizer over the input only": """
        import torch

        def invert(model, target, steps):
            image = torch.randn(1, 3, 8, 8, requires_grad=True)
            model.eval()
            optimizer = torch.optim.Adam([image], lr=0.1)
            for step in range(steps):
                optimizer.zero_grad()
                loss = (model(image) - target).pow(2).mean()
                loss.backward()
                optimizer.step()
                if step % 10 == 0:
                    model.eval()
                    with torch.no_grad():
                        model(image)
    """,
    "prompts are tuned, the network stays in eval": """
        import torch

        def tune(model, loader, prompts, epochs):
            optimizer = torch.optim.AdamW([prompts], lr=0.1)
            for epoch in range(epochs):
                for x, y in loader:
                    optimizer.zero_grad()
                    loss = torch.nn.functional.cross_entropy(model(x, prompts), y)
                    loss.backward()
                    optimizer.step()
                model.eval()
                with torch.no_grad():
                    for x, y in loader:
                        model(x, prompts)
    """,
    "a probe on a network that is kept in eval": """
        import torch

        def probe(backbone, loader, epochs):
            head = torch.nn.Linear(8, 2)
            optimizer = torch.optim.SGD(head.parameters(), 0.1)
            for epoch in range(epochs):
                head.train()
                for x, y in loader:
                    optimizer.zero_grad()
                    loss = torch.nn.functional.cross_entropy(head(backbone(x)), y)
                    loss.backward()
                    optimizer.step()
                head.eval()
                backbone.eval()
                with torch.no_grad():
                    for x, y in loader:
                        head(backbone(x))
    """,
    "the generator's gradients pile up in a critic that nobody steps": """
        import torch

        def train(generator, critic, loader):
            optimizer = torch.optim.Adam(generator.parameters())
            for z in loader:
                optimizer.zero_grad()
                loss = -critic(generator(z)).mean()
                loss.backward()
                optimizer.step()
    """,
    "latent codes of an object, network frozen": """
        import torch

        class Fit:
            def __init__(self, net, codes):
                self.net = net.eval()
                self.codes = torch.nn.Embedding(10, 8)
                self.opt = torch.optim.Adam(self.codes.parameters())

            def run(self, loader):
                for i, x in loader:
                    self.opt.zero_grad()
                    loss = (self.net(self.codes(i)) - x).pow(2).mean()
                    loss.backward()
                    self.opt.step()
                    self.net.eval()
                    with torch.no_grad():
                        self.net(self.codes(i))
    """,
    "only the embeddings of a part are trained": """
        import torch
        def main(text_encoder, unet, loader, epochs, val):
            embeds = text_encoder.get_input_embeddings()
            optimizer = torch.optim.AdamW(embeds.parameters(), lr=1e-3)
            unet.eval()
            for e in range(epochs):
                for x in loader:
                    optimizer.zero_grad()
                    loss = unet(x, text_encoder(x)).pow(2).mean()
                    loss.backward()
                    optimizer.step()
                unet.eval()
                with torch.no_grad():
                    for x in val:
                        unet(x, text_encoder(x))
    """,
    "the optimizer owns the network that stays in eval": """
        import torch

        def train(model, loader, val, epochs):
            optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
            model.train()
            for epoch in range(epochs):
                for x, y in loader:
                    optimizer.zero_grad()
                    loss = torch.nn.functional.cross_entropy(model(x), y)
                    loss.backward()
                    optimizer.step()
                model.eval()  # wrong: missing-train-mode
                with torch.no_grad():
                    for x, y in val:
                        model(x)
    """,
    "the optimizer owns a copy, whose weights come back": """
        import copy
        import torch

        def train(model, loader, val, epochs):
            master = copy.deepcopy(model).float()
            optimizer = torch.optim.AdamW(master.parameters(), lr=0.1)
            model.train()
            for epoch in range(epochs):
                for x, y in loader:
                    torch.nn.functional.cross_entropy(model(x), y).backward()
                    for p, q in zip(model.parameters(), master.parameters()):
                        q.grad = p.grad.float()
                    optimizer.step()
                    model.zero_grad()
                    model.load_state_dict(master.state_dict())
                model.eval()  # wrong: missing-train-mode
                with torch.no_grad():
                    for x, y in val:
                        model(x)
    """,
    "the optimizer owns the network besides the prompts": """
        import torch

        def tune(model, loader, prompts, epochs):
            optimizer = torch.optim.AdamW([{"params": [prompts]}, {"params": model.parameters()}], lr=0.1)
            model.train()
            for epoch in range(epochs):
                for x, y in loader:
                    optimizer.zero_grad()
                    loss = torch.nn.functional.cross_entropy(model(x, prompts), y)
                    loss.backward()
                    optimizer.step()
                model.eval()  # wrong: missing-train-mode
                with torch.no_grad():
                    for x, y in loader:
                        model(x, prompts)
    """,
}

_TEACHER = {
    "a frozen teacher wrapped by DDP": """
        import torch
        from torch.nn.parallel import DistributedDataParallel as DDP

        def train(student, teacher, loader, n):
            student = DDP(student)
            teacher = DDP(teacher)
            optimizer = torch.optim.SGD(student.parameters(), 0.1)
            for i, x in enumerate(loader):
                last = (i + 1) % n == 0 or i + 1 == len(loader)
                with torch.no_grad():
                    target = teacher(x)
                if last:
                    (torch.nn.functional.mse_loss(student(x), target) / n).backward()
                    optimizer.step()
                    optimizer.zero_grad()
                else:
                    with student.no_sync():
                        (torch.nn.functional.mse_loss(student(x), target) / n).backward()
    """,
    "a frozen teacher wrapped by DDP, a student that is not": """
        import torch
        from torch.nn.parallel import DistributedDataParallel as DDP

        def train(student, teacher, loader, n):
            teacher = DDP(teacher)
            for p in teacher.parameters():
                p.requires_grad = False
            optimizer = torch.optim.SGD(student.parameters(), 0.1)
            for i, x in enumerate(loader):
                loss = torch.nn.functional.mse_loss(student(x), teacher(x).detach()) / n
                loss.backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "a frozen teacher wrapped by DDP and a student outside no_sync by hand": """
        import torch
        from torch.nn.parallel import DistributedDataParallel as DDP

        class Distiller:
            def __init__(self, student, teacher):
                self.student = student
                self.teacher = DDP(teacher)
                self.teacher.requires_grad_(False)
                self.opt = torch.optim.SGD(self.student.parameters(), 0.1)

            def run(self, loader, n):
                for i, x in enumerate(loader):
                    soft = self.teacher(x)
                    loss = torch.nn.functional.mse_loss(self.student(x), soft) / n
                    loss.backward()
                    if (i + 1) % n == 0 or i + 1 == len(loader):
                        self.opt.step()
                        self.opt.zero_grad()
    """,
    "the teacher's weights are averages of the student's": """
        import copy
        import torch
        from torch.nn.parallel import DistributedDataParallel as DDP

        def train(student, loader, n):
            teacher = copy.deepcopy(student)
            student, teacher = DDP(student), DDP(teacher)
            for p in teacher.parameters():
                p.requires_grad_(False)
            optimizer = torch.optim.SGD(student.parameters(), 0.1)
            for i, x in enumerate(loader):
                last = (i + 1) % n == 0 or i + 1 == len(loader)
                student.require_backward_grad_sync = last
                target = teacher(x)
                (torch.nn.functional.mse_loss(student(x), target) / n).backward()
                if last:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "a discriminator that is frozen and let go in turns": """
        import torch
        from torch.nn.parallel import DistributedDataParallel as DDP
        def train(G, D, loader, n):
            G, D = DDP(G), DDP(D)
            og = torch.optim.Adam(G.parameters()); od = torch.optim.Adam(D.parameters())
            for x in loader:
                for p in D.parameters():
                    p.requires_grad = True
                od.zero_grad()
                D(G(x).detach()).mean().backward()
                od.step()
                for p in D.parameters():
                    p.requires_grad = False
                og.zero_grad()
                (-D(G(x)).mean()).backward()
                og.step()
    """,
    "the student is wrapped and synchronises each time": """
        import torch
        from torch.nn.parallel import DistributedDataParallel as DDP

        def train(student, teacher, loader, n):
            student = DDP(student)
            optimizer = torch.optim.SGD(student.parameters(), 0.1)
            for i, x in enumerate(loader):
                with torch.no_grad():
                    target = teacher(x)
                (torch.nn.functional.mse_loss(student(x), target) / n).backward()  # wrong: missing-no-sync
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "all but the head is frozen, by a second look": """
        import torch
        from torch.nn.parallel import DistributedDataParallel as DDP

        def train(net, loader, n):
            model = DDP(net)
            for name, parameter in model.named_parameters():
                parameter.requires_grad = False
                if "head" in name:
                    parameter.requires_grad = True
            optimizer = torch.optim.SGD(model.parameters(), 0.1)
            for i, x in enumerate(loader):
                (model(x).mean() / n).backward()  # wrong: missing-no-sync
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "all but the head is frozen, by its name": """
        import torch
        from torch.nn.parallel import DistributedDataParallel as DDP

        def train(net, loader, n):
            model = DDP(net)
            for name, parameter in model.named_parameters():
                parameter.requires_grad = "head" in name
            optimizer = torch.optim.SGD(model.parameters(), 0.1)
            for i, x in enumerate(loader):
                (model(x).mean() / n).backward()  # wrong: missing-no-sync
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "all but the head is frozen, by a guard": """
        import torch
        from torch.nn.parallel import DistributedDataParallel as DDP

        def train(net, loader, n):
            model = DDP(net)
            for name, parameter in model.named_parameters():
                if "head" not in name:
                    parameter.requires_grad_(False)
            optimizer = torch.optim.SGD(model.parameters(), 0.1)
            for i, x in enumerate(loader):
                (model(x).mean() / n).backward()  # wrong: missing-no-sync
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "all is frozen and then let go": """
        import torch
        from torch.nn.parallel import DistributedDataParallel as DDP

        def train(net, loader, n):
            model = DDP(net)
            for name, parameter in model.named_parameters():
                parameter.requires_grad_(False)
            for parameter in model.parameters():
                parameter.requires_grad_(True)
            optimizer = torch.optim.SGD(model.parameters(), 0.1)
            for i, x in enumerate(loader):
                (model(x).mean() / n).backward()  # wrong: missing-no-sync
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "no_sync is entered for the teacher": """
        import torch
        from torch.nn.parallel import DistributedDataParallel as DDP

        def train(student, teacher, loader, n):
            student, teacher = DDP(student), DDP(teacher)
            optimizer = torch.optim.SGD(student.parameters(), 0.1)
            for i, x in enumerate(loader):
                with torch.no_grad():
                    target = teacher(x)
                with teacher.no_sync():
                    (torch.nn.functional.mse_loss(student(x), target) / n).backward()  # wrong: missing-no-sync
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
}

_SCHEDULE = {
    "moved where the data has ended and begins anew": """
        import torch
        from data import Prefetcher

        def train(net, dataset, conf):
            loader = Prefetcher(dataset)
            optimizer = torch.optim.Adam(net.parameters(), lr=conf.lr)
            scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
            for step in range(conf.steps):
                batch = loader.next()
                if batch is None:
                    batch = loader.next()
                    scheduler.step()
                optimizer.zero_grad()
                net(batch).mean().backward()
                optimizer.step()
    """,
    "moved where there is a batch": """
        import torch
        from data import Prefetcher

        def train(net, dataset, conf):
            loader = Prefetcher(dataset)
            optimizer = torch.optim.Adam(net.parameters(), lr=conf.lr)
            scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
            for step in range(conf.steps):
                batch = loader.next()
                if batch is not None:
                    scheduler.step()  # wrong: scheduler-before-optimizer
                optimizer.zero_grad()
                net(batch).mean().backward()
                optimizer.step()
    """,
    "T_max is all batches": """
        import torch

        def train(model, loader, optimizer, n, epochs):
            scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=len(loader) * epochs)
            for epoch in range(epochs):
                for i, batch in enumerate(loader):
                    (model(batch).mean() / n).backward()
                    if (i + 1) % n == 0 or i + 1 == len(loader):
                        optimizer.step()
                        optimizer.zero_grad()
                    scheduler.step()
    """,
    "total_steps by a variable": """
        import torch

        def train(model, loader, optimizer, n, epochs):
            steps = epochs * len(loader)
            scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=steps)
            for epoch in range(epochs):
                for i, batch in enumerate(loader):
                    (model(batch).mean() / n).backward()
                    if (i + 1) % n == 0 or i + 1 == len(loader):
                        optimizer.step()
                        optimizer.zero_grad()
                    scheduler.step()
    """,
    "epochs and steps_per_epoch": """
        import torch

        def train(model, loader, optimizer, n, epochs):
            scheduler = torch.optim.lr_scheduler.OneCycleLR(
                optimizer, max_lr=0.1, epochs=epochs, steps_per_epoch=len(loader)
            )
            for epoch in range(epochs):
                for i, batch in enumerate(loader):
                    (model(batch).mean() / n).backward()
                    if (i + 1) % n == 0 or i + 1 == len(loader):
                        optimizer.step()
                        optimizer.zero_grad()
                    scheduler.step()
    """,
    "made in another function that is given the length": """
        from transformers import get_linear_schedule_with_warmup

        def make(optimizer, total):
            return get_linear_schedule_with_warmup(optimizer, num_warmup_steps=0, num_training_steps=total)

        def train(model, loader, optimizer, n, epochs):
            scheduler = make(optimizer, len(loader) * epochs)
            for epoch in range(epochs):
                for i, batch in enumerate(loader):
                    (model(batch).mean() / n).backward()
                    if (i + 1) % n == 0 or i + 1 == len(loader):
                        optimizer.step()
                        optimizer.zero_grad()
                    scheduler.step()
    """,
    "made in another function that is given the loader": """
        import torch

        def schedule_of(optimizer, loader, epochs):
            total = len(loader) * epochs
            return torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(0.0, 1.0 - step / total))

        def train(model, loader, optimizer, n, epochs):
            scheduler = schedule_of(optimizer, loader, epochs)
            for epoch in range(epochs):
                for i, batch in enumerate(loader):
                    (model(batch).mean() / n).backward()
                    if (i + 1) % n == 0 or i + 1 == len(loader):
                        optimizer.step()
                        optimizer.zero_grad()
                    scheduler.step()
    """,
    "kept on an object": """
        import torch

        class Trainer:
            def __init__(self, model, loader, epochs, n):
                self.model, self.loader, self.epochs, self.n = model, loader, epochs, n
                self.total = len(self.loader) * self.epochs
                self.optimizer = torch.optim.Adam(self.model.parameters())
                self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, self.total)

            def train(self):
                for epoch in range(self.epochs):
                    for i, batch in enumerate(self.loader):
                        (self.model(batch).mean() / self.n).backward()
                        if (i + 1) % self.n == 0 or i + 1 == len(self.loader):
                            self.optimizer.step()
                            self.optimizer.zero_grad()
                        self.scheduler.step()
    """,
    "written into the settings": """
        import torch

        def train(model, loader, optimizer, args):
            args.total_steps = len(loader) * args.epochs
            scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, total_iters=args.total_steps)
            for epoch in range(args.epochs):
                for i, batch in enumerate(loader):
                    (model(batch).mean() / args.accum).backward()
                    if (i + 1) % args.accum == 0 or i + 1 == len(loader):
                        optimizer.step()
                        optimizer.zero_grad()
                    scheduler.step()
    """,
    "made by main, moved by the loop": """
        import torch

        def run(model, loader, optimizer, scheduler, n):
            for i, batch in enumerate(loader):
                (model(batch).mean() / n).backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
                scheduler.step()

        def main(model, loader, n, epochs):
            optimizer = torch.optim.Adam(model.parameters())
            total = int(epochs * len(loader))
            scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=total)
            for epoch in range(epochs):
                run(model, loader, optimizer, scheduler, n)
    """,
    "the schedule is written by a lambda over batches": """
        import math
        import torch

        def train(model, loader, optimizer, n, epochs):
            total = epochs * len(loader)
            warm = int(0.1 * total)

            def factor(step):
                if step < warm:
                    return step / warm
                return 0.5 * (1 + math.cos(math.pi * (step - warm) / (total - warm)))

            scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lr_lambda=factor)
            for epoch in range(epochs):
                for i, batch in enumerate(loader):
                    (model(batch).mean() / n).backward()
                    if (i + 1) % n == 0 or i + 1 == len(loader):
                        optimizer.step()
                        optimizer.zero_grad()
                    scheduler.step()
    """,
    "micro-batches are all that the loop counts": """
        from transformers import get_scheduler

        def train(model, loader, optimizer, n, max_iters):
            scheduler = get_scheduler("linear", optimizer, num_warmup_steps=0, num_training_steps=max_iters)
            it = 0
            while it < max_iters:
                for batch in loader:
                    (model(batch).mean() / n).backward()
                    it += 1
                    if it % n == 0:
                        optimizer.step()
                        optimizer.zero_grad()
                    scheduler.step()
                    if it >= max_iters:
                        break
    """,
    "written into the settings in one function, read in another": """
        from transformers import get_cosine_schedule_with_warmup
        def main(args, model, loader, optimizer):
            args.max_steps = args.epochs * len(loader)
            args.warmup = int(args.max_steps * 0.1)
            sched = make_sched(args, optimizer)
            for e in range(args.epochs):
                for i, x in enumerate(loader):
                    (model(x).mean() / args.accum).backward()
                    sched.step()
                    if (i + 1) % args.accum == 0 or i + 1 == len(loader):
                        optimizer.step()
                        optimizer.zero_grad()
        def make_sched(args, optimizer):
            return get_cosine_schedule_with_warmup(optimizer, args.warmup, args.max_steps)
    """,
    "a method computes it": """
        import torch
        class T:
            def __init__(self, model, loader, epochs, n):
                self.model, self.loader, self.epochs, self.n = model, loader, epochs, n
                self.opt = torch.optim.SGD(model.parameters(), 0.1)
                self.sched = torch.optim.lr_scheduler.OneCycleLR(self.opt, 0.1, total_steps=self.total_steps())
            def total_steps(self):
                return len(self.loader) * self.epochs
            def fit(self):
                for e in range(self.epochs):
                    for i, x in enumerate(self.loader):
                        (self.model(x).mean() / self.n).backward()
                        if (i + 1) % self.n == 0 or i + 1 == len(self.loader):
                            self.opt.step()
                            self.opt.zero_grad()
                        self.sched.step()
    """,
    "a property computes it": """
        import torch
        class T:
            def __init__(self, model, loader, epochs, n):
                self.model, self.loader, self.epochs, self.n = model, loader, epochs, n
                self.opt = torch.optim.SGD(model.parameters(), 0.1)
                self.sched = torch.optim.lr_scheduler.OneCycleLR(self.opt, 0.1, total_steps=self.total_steps)
            @property
            def total_steps(self):
                return len(self.loader) * self.epochs
            def fit(self):
                for e in range(self.epochs):
                    for i, x in enumerate(self.loader):
                        (self.model(x).mean() / self.n).backward()
                        if (i + 1) % self.n == 0 or i + 1 == len(self.loader):
                            self.opt.step()
                            self.opt.zero_grad()
                        self.sched.step()
    """,
    "a property computes it, and divides": """
        import torch
        class T:
            def __init__(self, model, loader, epochs, n):
                self.model, self.loader, self.epochs, self.n = model, loader, epochs, n
                self.opt = torch.optim.SGD(model.parameters(), 0.1)
                self.sched = torch.optim.lr_scheduler.OneCycleLR(self.opt, 0.1, total_steps=self.total_steps)
            @property
            def total_steps(self):
                return len(self.loader) * self.epochs // self.n
            def fit(self):
                for e in range(self.epochs):
                    for i, x in enumerate(self.loader):
                        (self.model(x).mean() / self.n).backward()
                        if (i + 1) % self.n == 0 or i + 1 == len(self.loader):
                            self.opt.step()
                            self.opt.zero_grad()
                        self.sched.step()  # wrong: scheduler-per-micro-batch
    """,
    "a range counts the micro-batches": """
        import torch

        class Job:
            def __init__(self, net, batches, steps, accum):
                self.net, self.batches, self.steps, self.accum = net, batches, steps, accum
                self.opt = torch.optim.AdamW(net.parameters())
                self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, T_max=self.steps)

            def run(self):
                for step in range(self.steps):
                    (self.net(next(self.batches)).mean() / self.accum).backward()
                    if (step + 1) % self.accum == 0 or step + 1 == self.steps:
                        self.opt.step()
                        self.opt.zero_grad()
                    self.sched.step()
    """,
    "the loop counts updates up to the length": """
        from transformers import get_scheduler

        def train(model, loader, optimizer, n, max_updates):
            scheduler = get_scheduler("linear", optimizer, num_warmup_steps=0, num_training_steps=max_updates)
            i = updates = 0
            while updates < max_updates:
                for batch in loader:
                    (model(batch).mean() / n).backward()
                    i += 1
                    if i % n == 0:
                        optimizer.step()
                        optimizer.zero_grad()
                        updates += 1
                    scheduler.step()  # wrong: scheduler-per-micro-batch
                    if updates >= max_updates:
                        break
    """,
    "the length is divided by the window": """
        import torch

        def train(model, loader, optimizer, n, epochs):
            updates = len(loader) // n * epochs
            scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=updates)
            for epoch in range(epochs):
                for i, batch in enumerate(loader):
                    (model(batch).mean() / n).backward()
                    if (i + 1) % n == 0 or i + 1 == len(loader):
                        optimizer.step()
                        optimizer.zero_grad()
                    scheduler.step()  # wrong: scheduler-per-micro-batch
    """,
    "the length is the number of epochs: it may be one that is told anywhere": """
        import torch

        def train(model, loader, optimizer, n, epochs):
            scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
            for epoch in range(epochs):
                for i, batch in enumerate(loader):
                    (model(batch).mean() / n).backward()
                    if (i + 1) % n == 0 or i + 1 == len(loader):
                        optimizer.step()
                        optimizer.zero_grad()
                    scheduler.step()
    """,
    "the length is the number of epochs, each of so many updates": """
        import torch

        def train(model, loader, optimizer, n, epochs, updates_an_epoch):
            scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs * updates_an_epoch)
            for epoch in range(epochs):
                for i, batch in enumerate(loader):
                    (model(batch).mean() / n).backward()
                    if (i + 1) % n == 0 or i + 1 == len(loader):
                        optimizer.step()
                        optimizer.zero_grad()
                    scheduler.step()  # wrong: scheduler-per-micro-batch
    """,
    "made in another function that divides": """
        from transformers import get_linear_schedule_with_warmup

        def make(optimizer, loader, n, epochs):
            total = len(loader) * epochs // n
            return get_linear_schedule_with_warmup(optimizer, num_warmup_steps=0, num_training_steps=total)

        def train(model, loader, optimizer, n, epochs):
            scheduler = make(optimizer, loader, n, epochs)
            for epoch in range(epochs):
                for i, batch in enumerate(loader):
                    (model(batch).mean() / n).backward()
                    if (i + 1) % n == 0 or i + 1 == len(loader):
                        optimizer.step()
                        optimizer.zero_grad()
                    scheduler.step()  # wrong: scheduler-per-micro-batch
    """,
    "divided in place before it is used": """
        import torch

        def train(model, loader, optimizer, n, epochs):
            total = len(loader) * epochs
            total //= n
            scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=total)
            for epoch in range(epochs):
                for i, batch in enumerate(loader):
                    (model(batch).mean() / n).backward()
                    if (i + 1) % n == 0 or i + 1 == len(loader):
                        optimizer.step()
                        optimizer.zero_grad()
                    scheduler.step()  # wrong: scheduler-per-micro-batch
    """,
    "a length of the other thing": """
        import torch

        def train(model, loader, optimizer, n, updates, milestones):
            scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [share * updates for share in milestones])
            print(len(milestones))
            for i, batch in enumerate(loader):
                (model(batch).mean() / n).backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
                scheduler.step()  # wrong: scheduler-per-micro-batch
    """,
    "a schedule that is moved on in a loop of its own, to anneal": """
        import torch

        def train(model, loader, optimizer, criterion, accum, evaluate, floor):
            scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, total_iters=1000)
            waiting = 0
            for x, y in loader:
                if evaluate(model) > 1:
                    while scheduler.get_last_lr()[0] > floor:
                        scheduler.step()
                loss = criterion(model(x), y) / accum
                loss.backward()
                waiting += 1
                if waiting < accum:
                    continue
                optimizer.step()
                optimizer.zero_grad()
                scheduler.step()
                waiting = 0
    """,
    "a schedule that divides by the window itself": """
        import torch

        WINDOW = 3

        def train(model, loader):
            optimizer = torch.optim.SGD(model.parameters(), lr=0.4)
            scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda seen: 0.9 ** (seen // WINDOW))
            for number, (x, y) in enumerate(loader, 1):
                loss = torch.nn.functional.mse_loss(model(x), y)
                (loss / WINDOW).backward()
                if number % WINDOW == 0 or number == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
                scheduler.step()
    """,
    "a schedule that divides by another number": """
        import torch

        WINDOW = 3

        def train(model, loader):
            optimizer = torch.optim.SGD(model.parameters(), lr=0.4)
            scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda updates: 0.9 ** (updates // 1000))
            for number, (x, y) in enumerate(loader, 1):
                loss = torch.nn.functional.mse_loss(model(x), y)
                (loss / WINDOW).backward()
                if number % WINDOW == 0 or number == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
                scheduler.step()  # wrong: scheduler-per-micro-batch
    """,
}

_KEPT = {
    "a total that is reset for each window and only then read": """
        def train(model, criterion, loader, optimizer, n):
            total = 0
            for i, (x, y) in enumerate(loader):
                loss = criterion(model(x), y) / n
                loss.backward()
                total += loss
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
                    print(total.item())
                    total = 0
    """,
    "a total that is reset whenever it is logged": """
        def train(model, criterion, loader, optimizer, every):
            running = 0.0
            for i, (x, y) in enumerate(loader):
                optimizer.zero_grad()
                loss = criterion(model(x), y)
                loss.backward()
                optimizer.step()
                running += loss
                if i % every == every - 1:
                    print(running / every)
                    running = 0.0
    """,
    "a list that is emptied for each window": """
        def train(model, criterion, loader, optimizer, n):
            losses = []
            for i, (x, y) in enumerate(loader):
                loss = criterion(model(x), y) / n
                loss.backward()
                losses.append(loss)
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
                    print(sum(losses).item())
                    losses = []
    """,
    "a list that is cleared in place": """
        def train(model, criterion, loader, optimizer, n):
            losses = []
            for i, (x, y) in enumerate(loader):
                loss = criterion(model(x), y) / n
                loss.backward()
                losses.append(loss)
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
                    print(len(losses))
                    losses.clear()
    """,
    "a total of an object that is reset for each window": """
        class Trainer:
            def __init__(self, model, criterion, optimizer, n):
                self.model, self.criterion, self.optimizer, self.n = model, criterion, optimizer, n
                self.total = 0.0

            def train(self, loader):
                for i, (x, y) in enumerate(loader):
                    loss = self.criterion(self.model(x), y) / self.n
                    loss.backward()
                    self.total += loss
                    if (i + 1) % self.n == 0 or i + 1 == len(loader):
                        self.optimizer.step()
                        self.optimizer.zero_grad()
                        print(float(self.total))
                        self.total = 0.0
    """,
    "a dictionary of totals that is made anew for each window": """
        def train(model, crit, loader, opt, n):
            logs = {"a": 0.0, "b": 0.0}
            for i, (x, y) in enumerate(loader):
                a, b = crit(model(x), y)
                ((a + b) / n).backward()
                logs["a"] += a
                logs["b"] += b
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    opt.step()
                    opt.zero_grad()
                    print(logs)
                    logs = {"a": 0.0, "b": 0.0}
    """,
    "totals that a method resets": """
        class T:
            def __init__(self, model, crit, opt, n):
                self.model, self.crit, self.opt, self.n = model, crit, opt, n
                self.reset()
            def reset(self):
                self.total = 0.0
                self.parts = []
            def fit(self, loader):
                for i, (x, y) in enumerate(loader):
                    loss = self.crit(self.model(x), y) / self.n
                    loss.backward()
                    self.total += loss
                    self.parts.append(loss)
                    if (i + 1) % self.n == 0 or i + 1 == len(loader):
                        self.opt.step()
                        self.opt.zero_grad()
                        print(self.total.item())
                        self.reset()
    """,
    "the last ten": """
        def train(model, crit, loader, opt):
            recent = []
            for x, y in loader:
                opt.zero_grad()
                loss = crit(model(x), y)
                loss.backward()
                opt.step()
                recent.append(loss)
                recent = recent[-10:]
    """,
    "a list that is emptied by del": """
        def train(model, crit, loader, opt, n):
            recent = []
            for i, (x, y) in enumerate(loader):
                opt.zero_grad()
                loss = crit(model(x), y)
                loss.backward()
                opt.step()
                recent.append(loss)
                if i % n == 0:
                    print(len(recent))
                    del recent[:]
    """,
    "a list whose first item goes when it is long": """
        def train(model, crit, loader, opt):
            recent = []
            for x, y in loader:
                opt.zero_grad()
                loss = crit(model(x), y)
                loss.backward()
                opt.step()
                recent.append(loss)
                if len(recent) > 10:
                    recent.pop(0)
    """,
    "a dictionary of totals that is kept": """
        def train(model, crit, loader, opt):
            logs = {"a": 0.0, "b": 0.0}
            for x, y in loader:
                a, b = crit(model(x), y)
                opt.zero_grad()
                (a + b).backward()
                opt.step()
                logs["a"] += a  # wrong: loss-graph-leak
                logs["b"] += b.item()
            print(logs)
    """,
    "a bounded queue": """
        from collections import deque

        def train(model, criterion, loader, optimizer):
            recent = deque(maxlen=20)
            for x, y in loader:
                optimizer.zero_grad()
                loss = criterion(model(x), y)
                loss.backward()
                optimizer.step()
                recent.append(loss)
    """,
    "a total that is detached now and then": """
        def train(model, criterion, loader, optimizer, n):
            total = 0.0
            for i, (x, y) in enumerate(loader):
                optimizer.zero_grad()
                loss = criterion(model(x), y)
                loss.backward()
                optimizer.step()
                total += loss
                if i % n == 0:
                    total = total.detach()
    """,
    "a total that is only reset for each epoch": """
        def train(model, criterion, loader, optimizer, epochs):
            for epoch in range(epochs):
                total = 0.0
                for x, y in loader:
                    optimizer.zero_grad()
                    loss = criterion(model(x), y)
                    loss.backward()
                    optimizer.step()
                    total += loss  # wrong: loss-graph-leak
                print(total / len(loader))
    """,
    "what teacher and student put out is no model": """
        import torch.nn.functional as F

        class Distiller:
            def __init__(self, teacher, student, optimizer):
                self.teacher_model, self.student_model, self.optimizer = teacher, student, optimizer

            def loss_of(self, y_pred_student, y_pred_teacher, y_true):
                soft = F.kl_div(F.log_softmax(y_pred_student, 1), F.softmax(y_pred_teacher, 1))
                return F.cross_entropy(y_pred_student, y_true) + soft

            def train(self, loader, epochs):
                for epoch in range(epochs):
                    total = 0.0
                    for x, y in loader:
                        loss = self.loss_of(self.student_model(x), self.teacher_model(x), y)
                        self.optimizer.zero_grad()
                        loss.backward()
                        self.optimizer.step()
                        total += loss  # wrong: loss-graph-leak
                    print(total)
    """,
    "another total is reset for each window": """
        def train(model, criterion, loader, optimizer, n):
            total, window = 0.0, 0.0
            for i, (x, y) in enumerate(loader):
                loss = criterion(model(x), y) / n
                loss.backward()
                total += loss  # wrong: loss-graph-leak
                window += loss.item()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
                    print(window)
                    window = 0.0
    """,
    "a list that is never emptied": """
        def train(model, criterion, loader, optimizer, n):
            losses = []
            for i, (x, y) in enumerate(loader):
                loss = criterion(model(x), y) / n
                loss.backward()
                losses.append(loss)  # wrong: loss-graph-leak
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
            return losses
    """,
    "a total that is only reset in the first batch": """
        def train(model, criterion, loader, optimizer, epochs):
            total = 0.0
            for epoch in range(epochs):
                for i, (x, y) in enumerate(loader):
                    if i == 0:
                        total = 0.0
                    optimizer.zero_grad()
                    loss = criterion(model(x), y)
                    loss.backward()
                    optimizer.step()
                    total += loss  # wrong: loss-graph-leak
    """,
    "a total that is reset only when the loss is bad": """
        import torch

        def train(model, criterion, loader, optimizer):
            total = 0.0
            for x, y in loader:
                optimizer.zero_grad()
                loss = criterion(model(x), y)
                if torch.isnan(loss):
                    total = 0.0
                    continue
                loss.backward()
                optimizer.step()
                total += loss  # wrong: loss-graph-leak
    """,
}

_CARRIED = {
    "gradients decay after the step: they are the momentum": """
        def decay(parameters, beta):
            for p in parameters:
                if p.grad is not None:
                    p.grad.mul_(beta)

        def train(model, criterion, loader, optimizer, beta):
            for x, y in loader:
                criterion(model(x), y).backward()
                optimizer.step()
                decay(model.parameters(), beta)
    """,
    "gradients are made smaller before the step, and stay": """
        def train(model, criterion, loader, optimizer, beta):
            for x, y in loader:
                criterion(model(x), y).backward()
                for p in model.parameters():
                    p.grad.mul_(beta)
                optimizer.step()  # wrong: missing-zero-grad
    """,
    "gradients of each task are taken out, and a mix of them is put back": """
        import torch

        class Mixed:
            def __init__(self, optimizer):
                self.optimizer = optimizer
                self.params = [p for group in optimizer.param_groups for p in group["params"]]

            def one(self, loss):
                self.optimizer.zero_grad()
                loss.backward(retain_graph=True)
                return torch.cat([p.grad.flatten().clone() for p in self.params])

            def put_back(self, flat):
                start = 0
                for p in self.params:
                    size = p.numel()
                    p.grad = flat[start : start + size].view_as(p).clone()
                    start += size

            def backward(self, losses):
                flats = [self.one(loss) for loss in losses]
                self.optimizer.zero_grad()
                self.put_back(torch.stack(flats).mean(0))

        def train(model, tasks, loader):
            optimizer = torch.optim.Adam(model.parameters())
            mixed = Mixed(optimizer)
            for x, y in loader:
                out = model(x)
                mixed.backward([task(out, y) for task in tasks])
                optimizer.step()
    """,
    "the gradients of each task are taken out, and nothing is put back": """
        import torch

        def flat(parameters):
            return torch.cat([p.grad.flatten().clone() for p in parameters])

        def train(model, loader, optimizer):
            for x, y in loader:
                loss = model(x, y)
                loss.backward()
                kept = flat(list(model.parameters()))
                optimizer.zero_grad()  # wrong: zero-grad-before-step
                print(kept.norm())
                optimizer.step()
    """,
    "half precision gradients are handed over to the copies that are trained": """
        import torch

        class Copies:
            def __init__(self, model, scale=1024.0):
                self.scale = scale
                self.used = [p for p in model.parameters() if p.requires_grad]
                self.trained = [torch.nn.Parameter(p.detach().float().clone()) for p in self.used]

            def hand_over(self):
                for big, small in zip(self.trained, self.used):
                    big.grad = small.grad.float() / self.scale
                    small.grad = None

        def train(model, loader, criterion):
            copies = Copies(model)
            optimizer = torch.optim.Adam(copies.trained, lr=1e-3)
            for x, y in loader:
                (criterion(model(x), y) * copies.scale).backward()
                copies.hand_over()
                torch.nn.utils.clip_grad_norm_(copies.trained, 1.0)
                optimizer.step()
    """,
    "what was handed over is cleared before the step": """
        import torch

        class Copies:
            def __init__(self, model, scale=1024.0):
                self.scale = scale
                self.used = [p for p in model.parameters() if p.requires_grad]
                self.trained = [torch.nn.Parameter(p.detach().float().clone()) for p in self.used]

            def hand_over(self):
                for big, small in zip(self.trained, self.used):
                    big.grad = small.grad.float() / self.scale
                    small.grad = None

        def train(model, loader, criterion):
            copies = Copies(model)
            optimizer = torch.optim.Adam(copies.trained, lr=1e-3)
            for x, y in loader:
                (criterion(model(x), y) * copies.scale).backward()
                copies.hand_over()
                optimizer.zero_grad()  # wrong: zero-grad-before-step
                optimizer.step()
    """,
}

_ELSEWHERE = {
    "a sampler that a helper of another file tells the epoch": """
        import torch
        from torch.utils.data import DataLoader, DistributedSampler
        from helpers import begin_epoch


        class Runner:
            def __init__(self, model, data, world):
                self.model, self.opt = model, torch.optim.SGD(model.parameters(), lr=0.1)
                sampler = None
                if world > 1:
                    sampler = DistributedSampler(data)
                self.loader = DataLoader(data, sampler=sampler)

            def fit_epoch(self):
                begin_epoch(self.loader, self.epoch, self.seed)
                for x in self.loader:
                    self.model(x).mean().backward()
                    self.opt.step()
                    self.opt.zero_grad()

            def fit(self):
                for epoch in range(9):
                    self.epoch = epoch
                    self.fit_epoch()
    """,
    "a loader of which a helper of another file only tells": """
        import torch
        from torch.utils.data import DataLoader, DistributedSampler
        from helpers import describe


        class Runner:
            def __init__(self, model, data, world):
                self.model, self.opt = model, torch.optim.SGD(model.parameters(), lr=0.1)
                sampler = None
                if world > 1:
                    sampler = DistributedSampler(data)
                self.loader = DataLoader(data, sampler=sampler)

            def fit_epoch(self):
                describe(self.loader, self.epoch, self.seed)
                for x in self.loader:
                    self.model(x).mean().backward()
                    self.opt.step()
                    self.opt.zero_grad()

            def fit(self):
                for epoch in range(9):  # wrong: missing-set-epoch
                    self.epoch = epoch
                    self.fit_epoch()
    """,
    "the model divides its loss by the window": """
        import torch.nn as nn
        import torch.nn.functional as F

        class Net(nn.Module):
            def __init__(self, window):
                super().__init__()
                self.body = nn.Linear(8, 2)
                self.window = window

            def forward(self, x, y):
                return F.cross_entropy(self.body(x) / 0.1, y) / self.window

        def train(loader, optimizer, window=4):
            model = Net(window)
            for step, (x, y) in enumerate(loader, 1):
                model(x, y).backward()
                if step % window == 0 or step == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "the model divides its scores, and not its loss": """
        import torch.nn as nn
        import torch.nn.functional as F

        class Net(nn.Module):
            def __init__(self, window):
                super().__init__()
                self.body = nn.Linear(8, 2)
                self.window = window

            def forward(self, x, y):
                scores = self.body(x) / self.window
                return F.cross_entropy(scores, y)

        def train(loader, optimizer, window=4):
            model = Net(window)
            for step, (x, y) in enumerate(loader, 1):
                model(x, y).backward()  # wrong: unscaled-accumulation-loss
                if step % window == 0 or step == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "the rate of plain SGD is divided by the window": """
        import torch

        def train(model, criterion, loader, args):
            optimizer = torch.optim.SGD(model.parameters(), lr=args.lr / args.window)
            for i, (x, y) in enumerate(loader, 1):
                criterion(model(x), y).backward()
                if i % args.window == 0 or i == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "the rate of Adam is divided by the window: the size of its steps never was the gradients'": """
        import torch

        def train(model, criterion, loader, args):
            optimizer = torch.optim.Adam(model.parameters(), lr=args.lr / args.window)
            for i, (x, y) in enumerate(loader, 1):
                criterion(model(x), y).backward()  # wrong: unscaled-accumulation-loss
                if i % args.window == 0 or i == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "the sampler's method is handed to the epochs": """
        from torch.utils.data import DataLoader, DistributedSampler

        class Epochs:
            def __init__(self, number, *listeners):
                self.number, self.listeners = number, listeners

            def __iter__(self):
                for epoch in range(self.number):
                    for listener in self.listeners:
                        listener(epoch)
                    yield epoch

        def train(model, criterion, dataset, optimizer, epochs):
            sampler = DistributedSampler(dataset)
            loader = DataLoader(dataset, sampler=sampler)
            for epoch in Epochs(epochs, sampler.set_epoch):
                for x, y in loader:
                    optimizer.zero_grad()
                    criterion(model(x), y).backward()
                    optimizer.step()
    """,
    "another sampler's method is handed to the epochs": """
        from torch.utils.data import DataLoader, DistributedSampler
        from utils import Epochs

        def train(model, criterion, dataset, held_out, optimizer, epochs):
            sampler, other = DistributedSampler(dataset), DistributedSampler(held_out)
            loader = DataLoader(dataset, sampler=sampler)
            for epoch in Epochs(epochs, other.set_epoch):  # wrong: missing-set-epoch
                for x, y in loader:
                    optimizer.zero_grad()
                    criterion(model(x), y).backward()
                    optimizer.step()
    """,
    "the stack is closed before the backward": """
        import torch
        from contextlib import ExitStack

        def train(model, criterion, loader, optimizer):
            for x, y in loader:
                with ExitStack() as stack:
                    stack.enter_context(torch.autocast("cuda", dtype=torch.bfloat16))
                    loss = criterion(model(x), y)
                    stack.close()
                    loss.backward()
                optimizer.step()
                optimizer.zero_grad()
    """,
    "the stack is closed behind the backward": """
        import torch
        from contextlib import ExitStack

        def train(model, criterion, loader, optimizer):
            for x, y in loader:
                with ExitStack() as stack:
                    stack.enter_context(torch.autocast("cuda", dtype=torch.bfloat16))
                    loss = criterion(model(x), y)
                    loss.backward()  # wrong: backward-in-autocast
                    stack.close()
                optimizer.step()
                optimizer.zero_grad()
    """,
    "cleared before a group of several, or in a group of one": """
        import torch

        def update(model, criterion, optimizer, group, total):
            if len(group) > 1:
                optimizer.zero_grad()
            for batch in group:
                if len(group) == 1:
                    optimizer.zero_grad()
                state = None
                for piece in batch.pieces:
                    out, state = model(piece, state)
                    (criterion(out, piece.target) / total).backward()
                    state = state.detach()
            optimizer.step()

        def train(model, criterion, optimizer, groups):
            for group, total in groups:
                update(model, criterion, optimizer, group, total)
    """,
    "cleared in a group of several, each time": """
        import torch

        def update(model, criterion, optimizer, group, total):
            for batch in group:
                if len(group) > 1:
                    optimizer.zero_grad()  # wrong: zero-grad-in-accumulation
                state = None
                for piece in batch.pieces:
                    out, state = model(piece, state)
                    (criterion(out, piece.target) / total).backward()
                    state = state.detach()
            optimizer.step()
            optimizer.zero_grad()

        def train(model, criterion, optimizer, groups):
            for group, total in groups:
                update(model, criterion, optimizer, group, total)
    """,
    "a class whose own backward goes over the pieces, the last of them synchronises": """
        import contextlib
        import torch
        from torch.nn.parallel import DistributedDataParallel as DDP

        class Cached:
            def __init__(self, model, size):
                self.model, self.size = model, size

            def split(self, x):
                return [x[i : i + self.size] for i in range(0, len(x), self.size)]

            def backward(self, x, gradient):
                parts = self.split(x)
                for i, (part, held) in enumerate(zip(parts, gradient.split(self.size))):
                    last = i == len(parts) - 1
                    with contextlib.nullcontext() if last else self.model.no_sync():
                        surrogate = (self.model(part) * held).sum()
                        surrogate.backward()

        def train(net, loader, contrast):
            model = DDP(net)
            optimizer = torch.optim.AdamW(model.parameters())
            cached = Cached(model, 32)
            for x in loader:
                cached.backward(x, contrast(x))
                optimizer.step()
                optimizer.zero_grad()
    """,
    "a class whose own backward goes over the pieces, and none of them synchronises": """
        import contextlib
        import torch
        from torch.nn.parallel import DistributedDataParallel as DDP

        class Cached:
            def __init__(self, model, size):
                self.model, self.size = model, size

            def split(self, x):
                return [x[i : i + self.size] for i in range(0, len(x), self.size)]

            def backward(self, x, gradient):
                parts = self.split(x)
                for i, (part, held) in enumerate(zip(parts, gradient.split(self.size))):
                    last = i == len(parts)
                    with contextlib.nullcontext() if last else self.model.no_sync():
                        surrogate = (self.model(part) * held).sum()
                        surrogate.backward()

        def train(net, loader, contrast):
            model = DDP(net)
            optimizer = torch.optim.AdamW(model.parameters())
            cached = Cached(model, 32)
            for x in loader:
                cached.backward(x, contrast(x))
                optimizer.step()  # wrong: step-without-sync
                optimizer.zero_grad()
    """,
}

_OTHERS = {
    "the last piece of a batch is synchronised": """
        import torch
        from torch.nn.parallel import DistributedDataParallel as DDP

        class Loop:
            def __init__(self, model, data, size):
                self.data, self.size = data, size
                self.ddp = DDP(model)
                self.opt = torch.optim.AdamW(model.parameters())

            def run(self):
                while True:
                    batch = next(self.data)
                    self.opt.zero_grad()
                    for i in range(0, batch.shape[0], self.size):
                        part = batch[i : i + self.size]
                        last = i + self.size >= batch.shape[0]
                        if last:
                            loss = self.ddp(part).sum() / batch.shape[0]
                        else:
                            with self.ddp.no_sync():
                                loss = self.ddp(part).sum() / batch.shape[0]
                        loss.backward()
                    self.opt.step()
    """,
    "all pieces of a batch but the last are synchronised": """
        import torch
        from torch.nn.parallel import DistributedDataParallel as DDP

        class Loop:
            def __init__(self, model, data, size):
                self.data, self.size = data, size
                self.ddp = DDP(model)
                self.opt = torch.optim.AdamW(model.parameters())

            def run(self):
                while True:
                    batch = next(self.data)
                    self.opt.zero_grad()
                    for i in range(0, batch.shape[0], self.size):
                        part = batch[i : i + self.size]
                        if i + self.size < batch.shape[0]:
                            loss = self.ddp(part).sum() / batch.shape[0]
                        else:
                            with self.ddp.no_sync():
                                loss = self.ddp(part).sum() / batch.shape[0]
                        loss.backward()
                    self.opt.step()  # wrong: step-without-sync
    """,
    "a graph that is told to be static is always synchronised": """
        import torch
        from torch.nn.parallel import DistributedDataParallel as DDP

        def main(loader, accum):
            backbone = DDP(make().cuda(), device_ids=[0])
            backbone._set_static_graph()
            optimizer = torch.optim.SGD(backbone.parameters(), 0.1)
            for i, (x, y) in enumerate(loader):
                (criterion(backbone(x), y) / accum).backward()
                if (i + 1) % accum == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "a graph of another network that is told to be static": """
        import torch
        from torch.nn.parallel import DistributedDataParallel as DDP

        def main(loader, accum):
            teacher = DDP(make().cuda(), device_ids=[0])
            teacher._set_static_graph()
            backbone = DDP(make().cuda(), device_ids=[0])
            optimizer = torch.optim.SGD(backbone.parameters(), 0.1)
            for i, (x, y) in enumerate(loader):
                (criterion(backbone(x), y) / accum).backward()  # wrong: missing-no-sync
                if (i + 1) % accum == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "a distributed sampler of the project's own": """
        import torch
        from torch.utils.data import DataLoader
        from project.distribute import DistributedSampler

        def main(model, data, optimizer):
            loader = DataLoader(data, batch_size=8, sampler=DistributedSampler(data))
            for epoch in range(10):
                for x, y in loader:
                    optimizer.zero_grad()
                    criterion(model(x), y).backward()
                    optimizer.step()
    """,
    "a distributed sampler of torch under its last name": """
        import torch
        from torch.utils.data import DataLoader
        from torch.utils.data.distributed import DistributedSampler

        def main(model, data, optimizer):
            loader = DataLoader(data, batch_size=8, sampler=DistributedSampler(data))
            for epoch in range(10):  # wrong: missing-set-epoch
                for x, y in loader:
                    optimizer.zero_grad()
                    criterion(model(x), y).backward()
                    optimizer.step()
    """,
    "a scaler that nobody in sight makes beside bfloat16": """
        import torch

        def train_step(self, x, y):
            self.optimizer.zero_grad()
            with torch.autocast("cuda", dtype=torch.bfloat16):
                loss = self.criterion(self.model(x), y)
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()
    """,
    "a scaler that is made for bfloat16": """
        import torch

        def train(model, criterion, loader, optimizer):
            scaler = torch.amp.GradScaler("cuda")
            for x, y in loader:
                optimizer.zero_grad()
                with torch.autocast("cuda", dtype=torch.bfloat16):
                    loss = criterion(model(x), y)
                scaler.scale(loss).backward()  # wrong: scaler-with-bfloat16
                scaler.step(optimizer)
                scaler.update()
    """,
    "a hidden state that is there says that a window goes on": """
        import torch

        def repackage(state):
            return None if state is None else tuple(s.detach() for s in state)

        def train(model, criterion, chunks, optimizer):
            state = None
            for x, y in chunks:
                state = repackage(state)
                if state is None:
                    optimizer.zero_grad()
                out, state = model(x, state)
                (criterion(out, y) / len(chunks)).backward()
            optimizer.step()
    """,
    "a hidden state that is there does not stop the clear": """
        import torch

        def repackage(state):
            return None if state is None else tuple(s.detach() for s in state)

        def train(model, criterion, chunks, optimizer):
            state = None
            for x, y in chunks:
                state = repackage(state)
                if state is not None:
                    optimizer.zero_grad()  # wrong: zero-grad-in-accumulation
                out, state = model(x, state)
                (criterion(out, y) / len(chunks)).backward()
            optimizer.step()
    """,
    "a context of another file is handed DDP": """
        import torch
        from project import misc
        from torch.nn.parallel import DistributedDataParallel as DDP

        def train(net, criterion, stream, optimizer, rounds):
            ddp = DDP(net)
            while True:
                optimizer.zero_grad()
                for turn in range(rounds):
                    with misc.ddp_sync(ddp, turn == rounds - 1):
                        x, y = next(stream)
                        (criterion(ddp(x), y) / rounds).backward()
                optimizer.step()
    """,
    "a context of another file is handed something else": """
        import torch
        from project import misc
        from torch.nn.parallel import DistributedDataParallel as DDP

        def train(net, criterion, stream, optimizer, rounds):
            ddp = DDP(net)
            while True:
                optimizer.zero_grad()
                for turn in range(rounds):
                    with misc.timed("round", turn == rounds - 1):
                        x, y = next(stream)
                        (criterion(ddp(x), y) / rounds).backward()  # wrong: missing-no-sync
                optimizer.step()
    """,
    "a schedule as long as updates times the window, made by a helper": """
        import torch
        from transformers import get_scheduler

        def made(args, optimizer, steps):
            warm = int(steps * args.warm)
            if args.floor is not None:
                steps = (steps - args.floor * warm) / (1 - args.floor)
            return get_scheduler("linear", optimizer, warm, steps)

        def train(args, model, criterion, loader, accum_steps):
            optimizer = torch.optim.AdamW(model.parameters())
            scheduler = made(args, optimizer, args.max_steps * accum_steps)
            for i, (x, y) in enumerate(loader):
                (criterion(model(x), y) / accum_steps).backward()
                if (i + 1) % accum_steps == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
                scheduler.step()
    """,
    "a schedule as long as updates, made by a helper": """
        import torch
        from transformers import get_scheduler

        def made(args, optimizer, steps):
            return get_scheduler("linear", optimizer, int(steps * args.warm), steps)

        def train(args, model, criterion, loader, accum_steps):
            optimizer = torch.optim.AdamW(model.parameters())
            scheduler = made(args, optimizer, args.max_steps // accum_steps)
            for i, (x, y) in enumerate(loader):
                (criterion(model(x), y) / accum_steps).backward()
                if (i + 1) % accum_steps == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
                scheduler.step()  # wrong: scheduler-per-micro-batch
    """,
    "an optimizer that steps by a method of its own, counted from a restored step": """
        import torch
        from project import get_model

        def train(args, config, loader):
            model, optimizer = get_model(args)
            step = args.restore_step + 1
            n = config["optimizer"]["grad_acc_step"]
            while step < config["total"]:
                for batch in loader:
                    loss = model(batch)[0] / n
                    loss.backward()
                    if step % n == 0:
                        optimizer.step_and_update_lr()
                        optimizer.zero_grad()
                    step += 1
    """,
    "the same, not divided": """
        import torch
        from project import get_model

        def train(args, config, loader):
            model, optimizer = get_model(args)
            step = args.restore_step + 1
            n = config["optimizer"]["grad_acc_step"]
            while step < config["total"]:
                for batch in loader:
                    loss = torch.nn.functional.mse_loss(model(batch), batch)
                    loss.backward()  # wrong: unscaled-accumulation-loss
                    if step % n == 0:
                        optimizer.step_and_update_lr()
                        optimizer.zero_grad()
                    step += 1
    """,
}

_REWRITTEN = {
    "gradients that are halved behind the step": """
        import torch

        def train(model, criterion, loader):
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            for x, y in loader:
                criterion(model(x), y).backward()
                optimizer.step()
                for p in model.parameters():
                    p.grad.mul_(0.5)
    """,
    "gradients that are halved behind the step, by a context manager": """
        import contextlib
        import torch

        @contextlib.contextmanager
        def update(optimizer, parameters):
            yield
            optimizer.step()
            for p in parameters:
                p.grad.mul_(0.5)

        def train(model, criterion, loader):
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            for x, y in loader:
                with update(optimizer, list(model.parameters())):
                    criterion(model(x), y).backward()
    """,
    "gradients that are halved, but before the step": """
        import torch

        def train(model, criterion, loader):
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            for x, y in loader:
                criterion(model(x), y).backward()
                for p in model.parameters():
                    p.grad.mul_(0.5)
                optimizer.step()  # wrong: missing-zero-grad
    """,
    "gradients that are cleared behind the step where they are no numbers": """
        import torch

        def train(model, criterion, loader):
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            for x, y in loader:
                criterion(model(x), y).backward()
                optimizer.step()  # wrong: missing-zero-grad
                for p in model.parameters():
                    if p.grad is not None and p.grad.isnan().any():
                        p.grad = None
    """,
    "gradients that are cleared where they are no numbers": """
        import torch

        def train(model, criterion, loader, params):
            optimizer = torch.optim.SGD(params, lr=0.1)
            for x, y in loader:
                optimizer.zero_grad()
                criterion(model(x), y).backward()
                for param in params:
                    if param.grad is not None:
                        if not torch.isfinite(param.grad).all():
                            param.grad = None
                optimizer.step()
    """,
    "gradients that are cleared where there are some": """
        import torch

        def train(model, criterion, loader, params):
            optimizer = torch.optim.SGD(params, lr=0.1)
            for x, y in loader:
                criterion(model(x), y).backward()
                for param in params:  # wrong: zero-grad-before-step
                    if param.requires_grad and param.grad is not None:
                        param.grad = None
                optimizer.step()
    """,
    "two backwards of one batch that Accelerate counts, the second by a reward": """
        from accelerate import Accelerator

        class Trainer:
            def __init__(self, unet, reward, optimizer, loader, args):
                self.accelerator = Accelerator(gradient_accumulation_steps=args.gradient_accumulation_steps)
                self.reward = reward
                self.unet, self.optimizer, self.loader = self.accelerator.prepare(unet, optimizer, loader)

            def pretrain(self, batch):
                loss = self.unet(batch).mean()
                self.accelerator.backward(loss)
                if self.accelerator.sync_gradients:
                    self.accelerator.clip_grad_norm_(self.unet.parameters(), 1.0)
                self.optimizer.step()
                self.optimizer.zero_grad()

            def please(self, batch):
                loss = self.reward.score(batch, decode(self.unet(batch))).mean()
                self.accelerator.backward(loss)
                if self.accelerator.sync_gradients:
                    self.accelerator.clip_grad_norm_(self.unet.parameters(), 1.0)
                self.optimizer.step()
                self.optimizer.zero_grad()

            def train(self):
                for batch in self.loader:
                    with self.accelerator.accumulate(self.unet):
                        self.pretrain(batch)
                    with self.accelerator.accumulate(self.unet):
                        self.please(batch)
    """,
    "two backwards of one batch under one accumulate are counted once": """
        from accelerate import Accelerator

        def train(unet, reward, optimizer, loader, args):
            accelerator = Accelerator(gradient_accumulation_steps=args.gradient_accumulation_steps)
            unet, optimizer, loader = accelerator.prepare(unet, optimizer, loader)
            for batch in loader:
                with accelerator.accumulate(unet):
                    accelerator.backward(unet(batch).mean())
                    accelerator.backward(reward.score(batch, unet(batch)).mean())
                    accelerator.clip_grad_norm_(unet.parameters(), 1.0)  # wrong: clip-per-micro-batch
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "networks that go back to training where the next turn asks the same count": """
        import torch

        def run(hyp, loader, evaluation):
            first, second = make_net(hyp), make_net(hyp)
            per_epoch, step, total = len(loader.images) // 64, 0, hyp["steps"]
            one = torch.optim.SGD(first.parameters(), lr=0.1)
            other = torch.optim.SGD(second.parameters(), lr=0.1)
            for inputs, labels in loader:
                net, optimizer = (first, one) if step < hyp["switch"] else (second, other)
                if step % per_epoch == 0:
                    net.train()
                loss = torch.nn.functional.cross_entropy(net(inputs), labels)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                step += 1
                if step % per_epoch == 0 or step == total:
                    net.eval()
                    with torch.no_grad():
                        print(net(evaluation).argmax(1))
                if step == total:
                    break
    """,
    "a worker that is launched in processes, and called plainly where there is one": """
        import torch
        import torch.multiprocessing as mp
        from torch.nn.parallel import DistributedDataParallel
        from torch.utils.data import DataLoader
        from torch.utils.data.distributed import DistributedSampler

        def worker(rank, config, args, logger=None):
            model = WaveNet(config).cuda()
            optimizer = torch.optim.Adam(model.parameters())
            sampler = DistributedSampler(config.data) if args.n_gpus > 1 else None
            loader = DataLoader(config.data, sampler=sampler)
            first = 0
            if config.resume:
                model, optimizer, first = logger.load(model, optimizer)
            if args.n_gpus > 1:
                model = DistributedDataParallel(model, device_ids=[rank])
            for epoch in range(first, config.epochs):  # wrong: missing-set-epoch
                for batch in loader:
                    optimizer.zero_grad()
                    loss = (model if args.n_gpus == 1 else model.module).compute_loss(batch)
                    loss.backward()
                    optimizer.step()  # wrong: step-without-sync

        def run_distributed(fn, config, args):
            mp.spawn(fn, args=(config, args), nprocs=args.n_gpus, join=True)

        if __name__ == "__main__":
            args = parse()
            config = ConfigWrapper(**load(args))
            args.__setattr__("n_gpus", torch.cuda.device_count())
            if args.n_gpus > 1:
                run_distributed(worker, config, args)
            else:
                worker(0, config, args)
    """,
    "data that are cut to whole windows": """
        import torch
        from torch.utils.data import DataLoader, Subset

        BATCH, ACCUM = 6, 4

        def train(data, model):
            usable = len(data) // (BATCH * ACCUM) * (BATCH * ACCUM)
            loader = DataLoader(Subset(data, range(usable)), batch_size=BATCH, shuffle=True)
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            for epoch in range(3):
                for i, (x, y) in enumerate(loader):
                    (torch.nn.functional.mse_loss(model(x), y) / ACCUM).backward()
                    if (i + 1) % ACCUM == 0:
                        optimizer.step()
                        optimizer.zero_grad()
    """,
    "data that are cut to whole batches only": """
        import torch
        from torch.utils.data import DataLoader, Subset

        BATCH, ACCUM = 6, 4

        def train(data, model):
            usable = len(data) // BATCH * BATCH
            loader = DataLoader(Subset(data, range(usable)), batch_size=BATCH, shuffle=True)
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            for epoch in range(3):
                for i, (x, y) in enumerate(loader):
                    (torch.nn.functional.mse_loss(model(x), y) / ACCUM).backward()
                    if (i + 1) % ACCUM == 0:  # wrong: dropped-accumulation-tail
                        optimizer.step()
                        optimizer.zero_grad()
    """,
    "a list whose length in the dry run is the window by chance": """
        import torch

        sentences = [torch.randint(0, 30, (1, 5)) for _ in range(50)]
        tagger = torch.nn.Embedding(30, 4)
        optim = torch.optim.Adagrad(tagger.parameters(), lr=0.1)
        group = 8
        for turn in range(3):
            pending = 0
            for ids in sentences:
                loss = torch.nn.functional.cross_entropy(tagger(ids).flatten(0, 1), ids.flatten() % 4)
                loss.div(group).backward()
                pending += 1
                if pending == group:  # wrong: dropped-accumulation-tail
                    optim.step()
                    optim.zero_grad()
                    pending = 0
    """,
    "a total over the parts of one batch": """
        import torch

        class Pretrainer:
            def training_step(self, model, inputs):
                total_loss = 0.0
                for number, chunk in enumerate(self.split(inputs)):
                    with model.no_sync() if number + 1 < self.parts else nullcontext():
                        loss = self.compute_loss(model, chunk)
                        loss.backward()
                    total_loss += loss
                return total_loss.detach()
    """,
    "gradients that a network predicts are put in place of those that were cleared": """
        import torch

        class Matching(torch.nn.Module):
            def sample(self, shape, steps, optim_class=None):
                x = torch.randn(shape)
                optim = default(optim_class, self.optim_class)([x], lr=0.1)
                for _ in range(steps):
                    optim.zero_grad()
                    grad = self.model(x)
                    x.grad = grad
                    optim.step()
                return x

            def forward(self, data):
                return torch.nn.functional.mse_loss(self.model(data), data)

        if __name__ == "__main__":
            matching = Matching(torch.nn.Linear(3, 3))
            loss = matching(torch.randn(16, 3))
            loss.backward()
            sampled = matching.sample((16, 3), 4)
    """,
    "records of steps are numbered from one": """
        import torch

        class Model:
            def __init__(self, network, loss):
                self.network, self.loss = network, loss
                self.optimizer = torch.optim.SGD(network.parameters(), lr=0.1)

            def fit(self, steps, batches_per_step):
                for step, (x, y) in steps:
                    self.fit_batch(x, y, batches_per_step, step)

            def fit_batch(self, x, y, batches_per_step, step):
                first = (step.number - 1) % batches_per_step == 0
                last = step.number % batches_per_step == 0
                if first:
                    self.optimizer.zero_grad()
                (self.loss(self.network(x), y) / batches_per_step).backward()
                if last:
                    self.optimizer.step()
    """,
    "an agent whose networks are made later than its `__init__`": """
        import torch

        class Agent:
            def __init__(self):
                self.act = self.act_optim = None

            @staticmethod
            def optim_update(optimizer, objective):
                optimizer.zero_grad()
                objective.backward()
                optimizer.step()

        class DQN(Agent):
            def init(self, width, states):
                self.act = torch.nn.Linear(states, width)
                self.act_optim = torch.optim.Adam(self.act.parameters(), lr=1e-3)

            def update_net(self, buffer):
                for _ in range(100):
                    x, y = buffer.sample()
                    self.optim_update(self.act_optim, torch.nn.functional.mse_loss(self.act(x), y))
    """,
    "a total that each window begins anew, in an epoch that ends after so many updates": """
        import torch

        class Recipe:
            def __init__(self, cfg):
                self.max_steps = cfg.max_steps_per_epoch

            def setup(self, cfg):
                if self.max_steps is not None and self.max_steps < self.per_epoch:
                    self.per_epoch = self.max_steps
                self.global_step = self.epochs_run * self.per_epoch

            def train(self):
                running_loss = 0
                for epoch in range(self.epochs_run, self.total_epochs):
                    for idx, batch in enumerate(self.loader):
                        loss = self.loss_step(batch)
                        running_loss += loss
                        loss.backward()
                        if (idx + 1) % self.accumulation == 0:
                            self.optimizer.step()
                            self.optimizer.zero_grad()
                            self.global_step += 1
                            print(running_loss.item())
                            running_loss = 0
                        if (idx + 1) // self.accumulation == self.max_steps:
                            break
    """,
    "gradients of some parameters that are dropped on purpose": """
        import torch

        def train(policy, buffer, updates):
            actor_params, flat_grad = policy.actor_gradients(buffer)
            for _ in range(updates):
                for rollout in buffer.get(64):
                    loss = torch.nn.functional.mse_loss(policy.value(rollout.obs), rollout.returns)
                    policy.optimizer.zero_grad()
                    loss.backward()
                    for param in actor_params:  # the shared trunk learns from the critic only in its own layers
                        param.grad = None
                    policy.optimizer.step()
    """,
    "a sum that is not divided, of which what is no number is cleared": """
        import torch

        def train(model, loader, params):
            optimizer = torch.optim.SGD(params, lr=0.1)
            for i, (x, y) in enumerate(loader):
                torch.nn.functional.mse_loss(model(x), y).backward()  # wrong: unscaled-accumulation-loss
                if (i + 1) % 4 == 0 or i + 1 == len(loader):
                    for param in params:
                        if torch.isnan(param.grad).any():
                            param.grad.zero_()
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "gradients that are kept, cleared and put back": """
        import torch

        def train(model, criterion, loader):
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            for x, y in loader:
                optimizer.zero_grad()
                criterion(model(x), y).backward()
                kept = [p.grad.clone() for p in model.parameters()]
                optimizer.zero_grad()
                for p, g in zip(model.parameters(), kept):
                    p.grad = g - g.mean() if g.dim() > 1 else g
                optimizer.step()
    """,
    "gradients that are kept and cleared, and not put back": """
        import torch

        def train(model, criterion, loader):
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            for x, y in loader:
                optimizer.zero_grad()
                criterion(model(x), y).backward()
                kept = [p.grad.clone() for p in model.parameters()]
                optimizer.zero_grad()  # wrong: zero-grad-before-step
                print(max(g.abs().max() for g in kept))
                optimizer.step()
    """,
    "a sum that is divided for parts of a network that are a group each": """
        import torch
        from torch import nn

        def train(loader):
            net = nn.Sequential(nn.Linear(6, 9), nn.ReLU(), nn.Linear(9, 2))
            groups = [{"params": net[0].parameters(), "lr": 0.1}, {"params": net[2].parameters()}]
            optimizer = torch.optim.SGD(groups, lr=0.3)
            for i, (x, y) in enumerate(loader):
                nn.functional.mse_loss(net(x), y).backward()
                if (i + 1) % 4 == 0:
                    for p in net.parameters():
                        p.grad /= 4
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "a sum that is divided for the parts of a list": """
        import torch
        from torch import nn

        def train(loader):
            net = nn.Sequential(nn.Linear(6, 9), nn.ReLU(), nn.Linear(9, 2))
            optimizer = torch.optim.SGD([*net[0].parameters(), *net[2].parameters()], lr=0.3)
            for i, (x, y) in enumerate(loader):
                nn.functional.mse_loss(net(x), y).backward()
                if (i + 1) % 4 == 0:
                    for p in net.parameters():
                        p.grad.div_(4)
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "a sum that is not divided, of two groups": """
        import torch
        from torch import nn

        def train(loader):
            net = nn.Sequential(nn.Linear(6, 9), nn.ReLU(), nn.Linear(9, 2))
            groups = [{"params": net[0].parameters(), "lr": 0.1}, {"params": net[2].parameters()}]
            optimizer = torch.optim.SGD(groups, lr=0.3)
            for i, (x, y) in enumerate(loader):
                nn.functional.mse_loss(net(x), y).backward()  # wrong: unscaled-accumulation-loss
                if (i + 1) % 4 == 0:
                    for p in net.parameters():
                        p.grad *= 1
                    optimizer.step()
                    optimizer.zero_grad()
    """,
}

_TESTED = {
    "a test case that is set up for each of its methods": """
        import unittest
        import torch

        class Trained(unittest.TestCase):
            def setUp(self):
                self.model = torch.nn.Linear(3, 1)
                self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

            def test_step_moves(self):
                before = self.model.weight.clone()
                self.model(torch.randn(2, 3)).mean().backward()
                self.optimizer.step()
                assert not torch.equal(before, self.model.weight)
    """,
    "a class whose methods a test runner sets up": """
        import torch

        class TestOptimizer:
            def setup_method(self):
                self.model = torch.nn.Linear(3, 1)
                self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

            def test_step(self):
                self.model(torch.randn(2, 3)).mean().backward()
                self.optimizer.step()

            def test_step_of_a_sum(self):
                self.model(torch.randn(2, 3)).sum().backward()
                self.optimizer.step()
    """,
    "a class that inherits what sets it up": """
        import torch

        class Base:
            def setup_method(self):
                self.model = torch.nn.Linear(3, 1)
                self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

        class TestOptimizer(Base):
            def test_step(self):
                self.model(torch.randn(2, 3)).mean().backward()
                self.optimizer.step()
    """,
    "a test that clears before the step": """
        import torch

        class TestOptimizer:
            def setup_method(self):
                self.model = torch.nn.Linear(3, 1)
                self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

            def test_step(self):
                self.model(torch.randn(2, 3)).mean().backward()
                self.optimizer.zero_grad()  # wrong: zero-grad-before-step
                self.optimizer.step()
    """,
    "a test that loops and never clears": """
        import torch

        class TestOptimizer:
            def setup_method(self):
                self.model = torch.nn.Linear(3, 1)
                self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

            def test_loss_falls(self):
                for _ in range(20):
                    self.model(torch.randn(2, 3)).mean().backward()
                    self.optimizer.step()  # wrong: missing-zero-grad
    """,
}

_COUNTED = {
    "a phase that goes backward and never steps": """
        import torch

        def train(model, loaders, epochs, accum):
            optimizer = torch.optim.Adam(model.parameters())
            for epoch in range(epochs):
                for phase in ["train", "val"]:
                    for i, (x, y) in enumerate(loaders[phase]):
                        loss = torch.nn.functional.mse_loss(model(x), y)
                        optimizer.zero_grad()
                        loss.backward()
                        if phase == "train":
                            optimizer.step()
    """,
    "a phase that steps once in a window": """
        import torch

        def train(model, loaders, epochs, accum):
            optimizer = torch.optim.Adam(model.parameters())
            for epoch in range(epochs):
                for phase in ["train", "val"]:
                    for i, (x, y) in enumerate(loaders[phase]):
                        loss = torch.nn.functional.mse_loss(model(x), y)
                        optimizer.zero_grad()  # wrong: zero-grad-in-accumulation
                        loss.backward()
                        if phase == "train" and (i + 1) % accum == 0:
                            optimizer.step()
    """,
    "down to nought": """
        import torch

        def train(model, data, optimizer, n):
            for left in reversed(range(24)):
                (model(data[left]).mean() / 4).backward()
                if left % 4 == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "down to nought from nobody knows where": """
        import torch

        def train(model, data, optimizer, n):
            for left in range(n - 1, -1, -1):
                (model(data[left]).mean() / 4).backward()
                if left % 4 == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "sorted downwards": """
        import torch

        def train(model, data, optimizer, n):
            for left in sorted(range(24), reverse=True):
                (model(data[left]).mean() / 4).backward()
                if left % 4 == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "numbers sorted from the largest": """
        import torch

        def train(model, data, optimizer, n):
            for left in sorted([5, 2, 7, 0, 3, 6, 1, 4], reverse=True):
                (model(data[left]).mean() / 4).backward()
                if left % 4 == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "a list from its end": """
        import torch

        def train(model, data, optimizer, n):
            for left in range(24)[::-1]:
                (model(data[left]).mean() / 4).backward()
                if left % 4 == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "down to one": """
        import torch

        def train(model, data, optimizer, n):
            for left in reversed(range(1, 25)):
                (model(data[left]).mean() / 4).backward()
                if left % 4 == 0:  # wrong: accumulation-off-by-one
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "tokens decide when a window is full": """
        import torch

        def train(model, batches, n=4):
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            while True:
                tokens = 0
                while tokens < 32:
                    x, y = next(batches)
                    tokens += len(x)
                    (torch.nn.functional.mse_loss(model(x), y) / n).backward()
                optimizer.step()
                optimizer.zero_grad()
    """,
    "a sum of losses that were divided goes back at once": """
        import torch

        def train(model, batches, total, n=4):
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            for step in range(total):
                whole = 0.0
                for _ in range(n):
                    x, y = next(batches)
                    whole = whole + torch.nn.functional.mse_loss(model(x), y) / n
                whole.backward()
                optimizer.step()
                optimizer.zero_grad()
    """,
    "an even part of made-up data": """
        import torch

        def epoch_of(model, loader, optimizer, n=3):
            for i, (x, y) in enumerate(loader):
                (torch.nn.functional.mse_loss(model(x), y) / n).backward()
                if (i + 1) % n == 0:
                    optimizer.step()
                    optimizer.zero_grad()

        def main():
            model = torch.nn.Linear(4, 2)
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            data = [(torch.randn(3, 4), torch.randn(3, 2)) for _ in range(8)]
            for epoch in range(2):
                epoch_of(model, data[:6], optimizer)
    """,
    "a part of made-up data that leaves one over": """
        import torch

        def epoch_of(model, loader, optimizer, n=3):
            for i, (x, y) in enumerate(loader):
                (torch.nn.functional.mse_loss(model(x), y) / n).backward()
                if (i + 1) % n == 0:  # wrong: dropped-accumulation-tail
                    optimizer.step()
                    optimizer.zero_grad()

        def main():
            model = torch.nn.Linear(4, 2)
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            data = [(torch.randn(3, 4), torch.randn(3, 2)) for _ in range(8)]
            for epoch in range(2):
                epoch_of(model, data[:7], optimizer)
    """,
    "updates are what a schedule was made for, and it moves with each batch": """
        import torch

        class CFG:
            epochs, n = 2, 2

        def epoch_of(model, loader, optimizer, scheduler):
            for i, (x, y) in enumerate(loader):
                (torch.nn.functional.mse_loss(model(x), y) / CFG.n).backward()
                if (i + 1) % CFG.n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
                scheduler.step()  # wrong: scheduler-per-micro-batch

        def train(model, loader):
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            updates = len(loader) // CFG.n * CFG.epochs
            scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=updates)
            for epoch in range(CFG.epochs):
                epoch_of(model, loader, optimizer, scheduler)
    """,
    "a number that another stage gathers, and that this one takes the mean over": """
        import torch

        def pretrain_and_train(model, walk, optimizer, epochs, walk_steps):
            for _ in range(epochs):
                optimizer.zero_grad()
                walk.move()
                loss = torch.mean(model.running_diff) / walk_steps
                loss.backward()
                optimizer.step()
            for _ in range(epochs):
                optimizer.zero_grad()
                history = walk.history(walk_steps)
                for i in range(walk_steps):
                    torch.mean(model(history[i])).backward()
                optimizer.step()
    """,
    "a warm-up divides by the window of what comes after it": """
        import torch

        def train(model, loader, optimizer, accum_steps):
            for x, y in loader:
                loss = torch.nn.functional.mse_loss(model(x), y) / accum_steps
                loss.backward()  # wrong: accumulation-divisor-mismatch
                optimizer.step()
                optimizer.zero_grad()
            for i, (x, y) in enumerate(loader):
                (torch.nn.functional.mse_loss(model(x), y) / accum_steps).backward()
                if (i + 1) % accum_steps == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "a fixed number of micro-batches is divided by another": """
        import torch

        def train(model, batches, total):
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            accum_steps = 4
            for step in range(total):
                for _ in range(accum_steps):
                    x, y = next(batches)
                    loss = torch.nn.functional.mse_loss(model(x), y) / accum_steps / 4
                    loss.backward()  # wrong: accumulation-divisor-mismatch
                optimizer.step()
                optimizer.zero_grad()
    """,
}

_MODE = {
    "dropout that drops nothing, as it is handed": """
        import torch
        from torch import nn

        class Probe(nn.Module):
            def __init__(self, size, hidden, rate):
                super().__init__()
                self.layers = nn.Sequential(nn.Flatten(), nn.Dropout(p=rate), nn.Linear(size, 4))

            def forward(self, x):
                return self.layers(x)

        def fit(data, val, epochs):
            probe = Probe(8, 1, 0.0)
            optimizer = torch.optim.AdamW(probe.parameters(), lr=0.1)
            probe.train()
            for epoch in range(epochs):
                for x, y in data:
                    optimizer.zero_grad()
                    nn.functional.mse_loss(probe(x), y).backward()
                    optimizer.step()
                probe.eval()
                with torch.no_grad():
                    print(sum(nn.functional.mse_loss(probe(x), y) for x, y in val))
    """,
    "dropout that drops, as it is handed": """
        import torch
        from torch import nn

        class Probe(nn.Module):
            def __init__(self, size, hidden, rate):
                super().__init__()
                self.layers = nn.Sequential(nn.Flatten(), nn.Dropout(p=rate), nn.Linear(size, 4))

            def forward(self, x):
                return self.layers(x)

        def fit(data, val, epochs):
            probe = Probe(8, 1, 0.2)
            optimizer = torch.optim.AdamW(probe.parameters(), lr=0.1)
            probe.train()
            for epoch in range(epochs):
                for x, y in data:
                    optimizer.zero_grad()
                    nn.functional.mse_loss(probe(x), y).backward()
                    optimizer.step()
                probe.eval()  # wrong: missing-train-mode
                with torch.no_grad():
                    print(sum(nn.functional.mse_loss(probe(x), y) for x, y in val))
    """,
    "a word chooses the layers, and none may ask for the mode": """
        import torch
        from torch import nn

        class Field(nn.Module):
            def __init__(self, size, norm="batch"):
                super().__init__()
                self.inner = nn.Linear(size, 4)
                if norm == "batch":
                    self.norm = nn.BatchNorm1d(4)
                elif norm == "layer":
                    self.norm = nn.LayerNorm(4)
                self.outer = nn.Linear(4, size)

            def forward(self, x):
                return self.outer(self.norm(self.inner(x)))

        def fit(data, val, epochs):
            net = Field(8, norm="layer")
            optimizer = torch.optim.AdamW(net.parameters(), lr=0.1)
            net.train()
            for epoch in range(epochs):
                for x, y in data:
                    optimizer.zero_grad()
                    nn.functional.mse_loss(net(x), y).backward()
                    optimizer.step()
                net.eval()
                with torch.no_grad():
                    print(sum(nn.functional.mse_loss(net(x), y) for x, y in val))
    """,
    "no word chooses other layers": """
        import torch
        from torch import nn

        class Field(nn.Module):
            def __init__(self, size, norm="batch"):
                super().__init__()
                self.inner = nn.Linear(size, 4)
                if norm == "batch":
                    self.norm = nn.BatchNorm1d(4)
                elif norm == "layer":
                    self.norm = nn.LayerNorm(4)
                self.outer = nn.Linear(4, size)

            def forward(self, x):
                return self.outer(self.norm(self.inner(x)))

        def fit(data, val, epochs):
            net = Field(8)
            optimizer = torch.optim.AdamW(net.parameters(), lr=0.1)
            net.train()
            for epoch in range(epochs):
                for x, y in data:
                    optimizer.zero_grad()
                    nn.functional.mse_loss(net(x), y).backward()
                    optimizer.step()
                net.eval()  # wrong: missing-train-mode
                with torch.no_grad():
                    print(sum(nn.functional.mse_loss(net(x), y) for x, y in val))
    """,
    "a word chooses some layers, and others ask for the mode": """
        import torch
        from torch import nn

        class Field(nn.Module):
            def __init__(self, size, norm="batch"):
                super().__init__()
                self.inner = nn.Linear(size, 4)
                if norm == "batch":
                    self.norm = nn.BatchNorm1d(4)
                elif norm == "layer":
                    self.norm = nn.LayerNorm(4)
                self.outer = nn.Sequential(nn.Dropout(0.5), nn.Linear(4, size))

            def forward(self, x):
                return self.outer(self.norm(self.inner(x)))

        def fit(data, val, epochs):
            net = Field(8, norm="layer")
            optimizer = torch.optim.AdamW(net.parameters(), lr=0.1)
            net.train()
            for epoch in range(epochs):
                for x, y in data:
                    optimizer.zero_grad()
                    nn.functional.mse_loss(net(x), y).backward()
                    optimizer.step()
                net.eval()  # wrong: missing-train-mode
                with torch.no_grad():
                    print(sum(nn.functional.mse_loss(net(x), y) for x, y in val))
    """,
    "dropout that is made and never run": """
        import torch
        from torch import nn

        class Encoder(nn.Module):
            def __init__(self, size, rate):
                super().__init__()
                self.inner = nn.Linear(size, 4)
                self.outer = nn.Linear(4, size)
                self.dropout = nn.Dropout(rate)

            def forward(self, x):
                return self.outer(self.inner(x))

        def fit(data, val, epochs):
            net = Encoder(8, 0.5)
            optimizer = torch.optim.AdamW(net.parameters(), lr=0.1)
            net.train()
            for epoch in range(epochs):
                for x, y in data:
                    optimizer.zero_grad()
                    nn.functional.mse_loss(net(x), y).backward()
                    optimizer.step()
                net.eval()
                with torch.no_grad():
                    print(sum(nn.functional.mse_loss(net(x), y) for x, y in val))
    """,
    "dropout that is run": """
        import torch
        from torch import nn

        class Encoder(nn.Module):
            def __init__(self, size, rate):
                super().__init__()
                self.inner = nn.Linear(size, 4)
                self.outer = nn.Linear(4, size)
                self.dropout = nn.Dropout(rate)

            def forward(self, x):
                return self.outer(self.dropout(self.inner(x)))

        def fit(data, val, epochs):
            net = Encoder(8, 0.5)
            optimizer = torch.optim.AdamW(net.parameters(), lr=0.1)
            net.train()
            for epoch in range(epochs):
                for x, y in data:
                    optimizer.zero_grad()
                    nn.functional.mse_loss(net(x), y).backward()
                    optimizer.step()
                net.eval()  # wrong: missing-train-mode
                with torch.no_grad():
                    print(sum(nn.functional.mse_loss(net(x), y) for x, y in val))
    """,
    "dropout that is run among all parts": """
        import torch
        from torch import nn

        class Encoder(nn.Module):
            def __init__(self, size, rate):
                super().__init__()
                self.inner = nn.Linear(size, 4)
                self.outer = nn.Linear(4, size)
                self.dropout = nn.Dropout(rate)

            def forward(self, x):
                return self.outer([part(x) for part in self.children()][0])

        def fit(data, val, epochs):
            net = Encoder(8, 0.5)
            optimizer = torch.optim.AdamW(net.parameters(), lr=0.1)
            net.train()
            for epoch in range(epochs):
                for x, y in data:
                    optimizer.zero_grad()
                    nn.functional.mse_loss(net(x), y).backward()
                    optimizer.step()
                net.eval()  # wrong: missing-train-mode
                with torch.no_grad():
                    print(sum(nn.functional.mse_loss(net(x), y) for x, y in val))
    """,
    "a switch keeps it frozen": """
        import torch
        from torch import nn

        def fold(trunk, head, data, val, epochs, freeze=False):
            optimizer = torch.optim.AdamW([*head.parameters(), *([] if freeze else trunk.parameters())], lr=0.1)
            for epoch in range(epochs):
                if not freeze:
                    trunk.train()
                head.train()
                for x, y in data:
                    optimizer.zero_grad()
                    nn.functional.cross_entropy(head(trunk(x)), y).backward()
                    optimizer.step()
                trunk.eval()
                head.eval()
                with torch.no_grad():
                    for x, y in val:
                        head(trunk(x))

        def main(data, val):
            for _ in range(3):
                fold(nn.Linear(3, 4), nn.Linear(4, 3), data, val, 5, freeze=True)
                fold(nn.Linear(3, 4), nn.Linear(4, 3), data, val, 5)
    """,
    "its own method puts the part into training mode that is trained": """
        import torch
        from torch import nn
        from transformers import GPT2LMHeadModel

        class Discriminator(nn.Module):
            def __init__(self):
                super().__init__()
                self.encoder = GPT2LMHeadModel.from_pretrained("gpt2")
                self.head = nn.Linear(3, 4)

            def begin(self):
                for param in self.encoder.parameters():
                    param.requires_grad = False
                self.head.train()

            def forward(self, x):
                return self.head(self.encoder(x))

        def main(loader, val, epochs):
            net = Discriminator()
            optimizer = torch.optim.Adam(net.parameters(), lr=1e-4)
            for epoch in range(epochs):
                net.begin()
                for x, y in loader:
                    optimizer.zero_grad()
                    nn.functional.nll_loss(net(x), y).backward()
                    optimizer.step()
                net.eval()
                with torch.no_grad():
                    for x, y in val:
                        net(x)
    """,
    "another name of the same network": """
        import torch
        from torch import nn

        def validate(manager):
            net = manager.net
            net.eval()
            with torch.no_grad():
                for x, y in manager.valid:
                    manager.net(x)

        def train_epoch(manager):
            net = manager.network
            net.train()
            for x, y in manager.loader:
                net.zero_grad()
                nn.functional.cross_entropy(manager.net(x), y).backward()
                manager.optimizer.step()

        def train(manager, args):
            for epoch in range(args.epochs):
                train_epoch(manager)
                validate(manager)
    """,
    "only the first epoch puts it into training mode": """
        import torch
        from torch import nn

        def train(trunk, data, val, epochs):
            optimizer = torch.optim.AdamW(trunk.parameters(), lr=0.1)
            for epoch in range(epochs):
                if epoch == 0:
                    trunk.train()
                for x, y in data:
                    optimizer.zero_grad()
                    nn.functional.cross_entropy(trunk(x), y).backward()
                    optimizer.step()
                trunk.eval()  # wrong: missing-train-mode
                with torch.no_grad():
                    for x, y in val:
                        trunk(x)
    """,
    "another network of the same owner": """
        import torch
        from torch import nn

        def train(self, args):
            optimizer = torch.optim.AdamW(self.net.parameters(), lr=0.1)
            for epoch in range(args.epochs):
                self.head.train()
                for x, y in args.loader:
                    optimizer.zero_grad()
                    nn.functional.cross_entropy(self.head(self.net(x)), y).backward()
                    optimizer.step()
                self.net.eval()  # wrong: missing-train-mode
                with torch.no_grad():
                    for x, y in args.val:
                        self.net(x)
    """,
    "a framework of its own puts the network it was given back with itself": """
        import torch
        from torch import nn, optim

        class Framework(nn.Module):
            def __init__(self, model, loader, val_loader, epochs):
                super().__init__()
                self.loader = loader
                self.val_loader = val_loader
                self.epochs = epochs
                self.model = nn.DataParallel(model)
                self.criterion = nn.CrossEntropyLoss()
                self.optimizer = optim.SGD(self.model.parameters(), 0.1)

            def train_model(self):
                for epoch in range(self.epochs):
                    self.train()
                    for x, y in self.loader:
                        self.criterion(self.model(x), y).backward()
                        self.optimizer.step()
                        self.optimizer.zero_grad()
                    self.eval_model(self.val_loader)

            def eval_model(self, loader):
                self.model.eval()
                with torch.no_grad():
                    for x, y in loader:
                        self.model(x)
    """,
    "a framework of its own does not": """
        import torch
        from torch import nn, optim

        class Framework(nn.Module):
            def __init__(self, model, loader, val_loader, epochs):
                super().__init__()
                self.loader = loader
                self.val_loader = val_loader
                self.epochs = epochs
                self.model = nn.DataParallel(model)
                self.criterion = nn.CrossEntropyLoss()
                self.optimizer = optim.SGD(self.parameters(), 0.1)

            def train_model(self):
                self.train()
                for epoch in range(self.epochs):
                    for x, y in self.loader:
                        self.criterion(self.model(x), y).backward()
                        self.optimizer.step()
                        self.optimizer.zero_grad()
                    self.eval_model(self.val_loader)  # wrong: missing-train-mode

            def eval_model(self, loader):
                self.model.eval()
                with torch.no_grad():
                    for x, y in loader:
                        self.model(x)
    """,
}

_SWITCHED = {
    "a guard says that there is no scaler for bfloat16": """
        import torch

        class Trainer:
            def __init__(self, model, config):
                self.model, self.config = model, config
                self.opt = torch.optim.AdamW(model.parameters())
                if self.config.kind == "other":
                    self.scaler = None
                    self.dtype = torch.bfloat16
                else:
                    self.scaler = torch.amp.GradScaler("cuda", init_scale=256)
                    self.dtype = torch.float16

            def train(self, loader):
                for x, y in loader:
                    self.opt.zero_grad()
                    with torch.amp.autocast("cuda", dtype=self.dtype):
                        loss = torch.nn.functional.mse_loss(self.model(x), y)
                    if self.scaler:
                        self.scaler.scale(loss).backward()
                        self.scaler.step(self.opt)
                        self.scaler.update()
                    else:
                        loss.backward()
                        self.opt.step()
    """,
    "a guard says so, behind one that leaves": """
        import torch

        KINDS = {"mamba", "wide"}

        class Trainer:
            def __init__(self, model, config):
                self.model, self.config = model, config
                self.use_amp = config.use_amp
                self.opt = torch.optim.AdamW(model.parameters())
                self._set_up("cuda")

            def _set_up(self, device):
                if not self.config.on:
                    self.scaler = None
                    self.dtype = None
                    return
                if self.config.kind == "other":
                    self.scaler = None
                    self.dtype = torch.bfloat16
                else:
                    self.scaler = torch.amp.GradScaler("cuda", init_scale=256)
                    self.dtype = torch.float16

            def train(self, loader):
                for x, y in loader:
                    self.opt.zero_grad()
                    if self.use_amp:
                        with torch.amp.autocast("cuda", dtype=self.dtype):
                            loss = torch.nn.functional.mse_loss(self.model(x), y)
                    else:
                        loss = torch.nn.functional.mse_loss(self.model(x), y)
                    if self.scaler:
                        self.scaler.scale(loss).backward()
                        self.scaler.step(self.opt)
                        self.scaler.update()
                    else:
                        loss.backward()
                        self.opt.step()
    """,
    "a guard makes a scaler for bfloat16, too": """
        import torch

        class Trainer:
            def __init__(self, model, config):
                self.model, self.config = model, config
                self.opt = torch.optim.AdamW(model.parameters())
                if self.config.kind == "other":
                    self.scaler = torch.amp.GradScaler("cuda")
                    self.dtype = torch.bfloat16
                else:
                    self.scaler = torch.amp.GradScaler("cuda", init_scale=256)
                    self.dtype = torch.float16

            def train(self, loader):
                for x, y in loader:
                    self.opt.zero_grad()
                    with torch.amp.autocast("cuda", dtype=self.dtype):
                        loss = torch.nn.functional.mse_loss(self.model(x), y)
                    if self.scaler:
                        self.scaler.scale(loss).backward()  # wrong: scaler-with-bfloat16
                        self.scaler.step(self.opt)
                        self.scaler.update()
                    else:
                        loss.backward()
                        self.opt.step()
    """,
    "gradients are filled with a number": """
        import torch

        def one(loader):
            model = torch.nn.Linear(5, 5)
            optimizer = torch.optim.SGD(model.parameters(), 0.1)
            for x in loader:
                optimizer.zero_grad()
                model(x).sum().backward()
                for p in model.parameters():
                    p.grad.fill_(0.01)
                optimizer.step()
    """,
    "gradients are filled with a number, and never cleared": """
        import torch

        def one(model, loader):
            optimizer = torch.optim.SGD(model.parameters(), 0.1)
            for x in loader:
                model(x).sum().backward()
                for p in model.parameters():
                    p.grad.fill_(0.01)
                optimizer.step()
    """,
    "gradients are filled with nothing": """
        import torch

        def two(model, loader):
            optimizer = torch.optim.SGD(model.parameters(), 0.1)
            for x in loader:
                optimizer.zero_grad()
                model(x).sum().backward()
                for p in model.parameters():  # wrong: zero-grad-before-step
                    p.grad.fill_(0)
                optimizer.step()
    """,
    "a parameter that is a switch, and called like a count": """
        import torch

        def prepare(model, loss_fn, take_step=True):
            optimizer = torch.optim.Adam(model.parameters())
            loss = loss_fn(model(torch.randn(5, 8)), torch.zeros(5))
            loss.backward()
            if take_step:
                optimizer.step()
            return optimizer
    """,
    "attributes that are set by their names": """
        import torch
        from torch.nn.parallel import DistributedDataParallel

        class Trainer:
            def __init__(self, params):
                if params.multi_gpu:
                    for name in self.NAMES:
                        setattr(self, name, DistributedDataParallel(getattr(self, name)))
                self.optimizer = torch.optim.Adam([p for name in self.NAMES for p in getattr(self, name).parameters()])

        class Pair(Trainer):
            def __init__(self, encoder, decoder, params):
                self.NAMES = ["encoder", "decoder"]
                self.encoder, self.decoder = encoder, decoder
                super().__init__(params)

            def step(self, x, y):
                self.optimizer.zero_grad()
                _, loss = self.decoder("predict", tensor=self.encoder("fwd", x=x), y=y)
                loss.backward()
                self.optimizer.step()
    """,
    "the type is chosen with the scaler, two at a time": """
        import torch

        def train(args, model, loader, optimizer):
            if args["precision"] == "bf16":
                stored, computed = torch.bfloat16, torch.bfloat16
            elif args["precision"] == "fp16":
                stored, computed = torch.float32, torch.float16
            else:
                raise ValueError
            scaler = torch.amp.GradScaler("cuda") if args["precision"] == "fp16" else None
            for batch in loader:
                with torch.autocast("cuda", dtype=computed):
                    loss = model(batch).loss
                if scaler is not None:
                    scaler.scale(loss).backward()
                    scaler.step(optimizer)
                    scaler.update()
                else:
                    loss.backward()
                    optimizer.step()
                optimizer.zero_grad()
    """,
    "outputs are gathered in the first step only": """
        import torch

        def compare(model, xs, steps, micro):
            optim = torch.optim.Adam(model.parameters())
            seen = []
            for step in range(steps):
                optim.zero_grad()
                for k in range(micro):
                    out = model(xs[k])
                    out.backward(xs[k])
                    if step == 0:
                        seen.append(out)
                optim.step()
    """,
    "outputs are gathered in each step": """
        import torch

        def compare(model, xs, steps, micro):
            optim = torch.optim.Adam(model.parameters())
            seen = []
            for step in range(steps):
                optim.zero_grad()
                for k in range(micro):
                    out = model(xs[k])
                    out.backward(xs[k])
                    if step >= 0:
                        seen.append(out)  # wrong: loss-graph-leak
                optim.step()
    """,
    "losses are gathered every ten thousand steps": """
        import torch

        def train(model, loader, epochs):
            optimizer = torch.optim.Adam(model.parameters())
            errors, step = [], 0
            for epoch in range(epochs):
                for x, y in loader:
                    optimizer.zero_grad()
                    loss = torch.nn.functional.mse_loss(model(x), y)
                    loss.backward()
                    optimizer.step()
                    if step % 10000 == 0:
                        errors.append(loss)  # wrong: loss-graph-leak
                    step += 1
            return errors
    """,
    "an evaluation under a distributed sampler": """
        import torch
        from torch.utils.data import DataLoader, DistributedSampler

        def train(model, data, held_out, epochs):
            sampler = DistributedSampler(data)
            loader = DataLoader(data, sampler=sampler)
            val = DataLoader(held_out, sampler=DistributedSampler(held_out))
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            for epoch in range(epochs):
                sampler.set_epoch(epoch)
                for x, y in loader:
                    optimizer.zero_grad()
                    torch.nn.functional.mse_loss(model(x), y).backward()
                    optimizer.step()
                for x, y in val:
                    with torch.no_grad():
                        model(x)
    """,
    "training under a distributed sampler": """
        import torch
        from torch.utils.data import DataLoader, DistributedSampler

        def train(model, data, held_out, epochs):
            loader = DataLoader(data, sampler=DistributedSampler(data))
            val = DataLoader(held_out, sampler=DistributedSampler(held_out))
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            for epoch in range(epochs):  # wrong: missing-set-epoch
                for x, y in loader:
                    optimizer.zero_grad()
                    torch.nn.functional.mse_loss(model(x), y).backward()
                    optimizer.step()
                for x, y in val:
                    with torch.no_grad():
                        model(x)
    """,
    "the gradients are cleared by another name": """
        import torch

        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optim.step()
    """,
    "the gradients of another optimizer are cleared": """
        import torch

        def train(model, other, loader, criterion):
            optim = torch.optim.SGD(model.parameters(), lr=0.1)
            optimizer = torch.optim.SGD(other.parameters(), lr=0.1)
            for x, y in loader:
                optimizer.zero_grad()
                loss = criterion(model(x), y)
                loss.backward()
                optim.step()  # wrong: missing-zero-grad
    """,
    "a network that adapts to its samples": """
        import torch

        def train(model, loader, val, optimizer, epochs):
            for epoch in range(epochs):
                model.train()
                for x, y in loader:
                    optimizer.zero_grad()
                    torch.nn.functional.cross_entropy(model(x), y).backward()
                    optimizer.step()
                model.eval()
                for data_shot, label_shot, data_query, label in val:
                    logits = model((data_shot, label_shot, data_query))
                    print((logits.argmax(1) == label).sum())
    """,
    "milestones of thousands": """
        import torch
        from torch.optim.lr_scheduler import MultiStepLR

        def train(model, loader, accum=4):
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            scheduler = MultiStepLR(optimizer, milestones=[30000, 60000], gamma=0.1)
            for i, (x, y) in enumerate(loader):
                (torch.nn.functional.mse_loss(model(x), y) / accum).backward()
                if (i + 1) % accum == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
                scheduler.step()
    """,
    "milestones of a few": """
        import torch
        from torch.optim.lr_scheduler import MultiStepLR

        def train(model, loader, accum=4):
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            scheduler = MultiStepLR(optimizer, milestones=[30, 60], gamma=0.1)
            for i, (x, y) in enumerate(loader):
                (torch.nn.functional.mse_loss(model(x), y) / accum).backward()
                if (i + 1) % accum == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
                scheduler.step()
    """,
    "milestones of a few updates": """
        import torch
        from torch.optim.lr_scheduler import MultiStepLR

        MILESTONES_IN_UPDATES = [30, 60]

        def train(model, loader, accum=4):
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            scheduler = MultiStepLR(optimizer, milestones=MILESTONES_IN_UPDATES, gamma=0.1)
            for i, (x, y) in enumerate(loader):
                (torch.nn.functional.mse_loss(model(x), y) / accum).backward()
                if (i + 1) % accum == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
                scheduler.step()  # wrong: scheduler-per-micro-batch
    """,
    "a size beside the window that has to be a multiple of it": """
        import torch

        def train(args, model, loader):
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            assert args.log_step % args.accum == 0
            for i, (x, y) in enumerate(loader):
                if i % args.log_step == 0:
                    args.writer.add_scalar("i", i)
                    optimizer.param_groups[0]["lr"] *= 0.9
                loss = torch.nn.functional.mse_loss(model(x), y) / args.accum
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # wrong: clip-per-micro-batch
                if (i + 1) % args.accum == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
}

_LIMITED = {
    "a switch that leaves one backend out, asked of settings with a long name": """
        import torch
        from tools import args, cfg, make_loader, make_network, override_from_kv


        def train(net, loader, cfg):
            backend = cfg.get("distributed", {}).get("backend", "ddp")
            opt = torch.optim.AdamW(net.parameters())
            fp16 = cfg["dtype"] == "fp16" and backend != "deepspeed"
            scaler = torch.cuda.amp.GradScaler(enabled=fp16)
            for x, y in loader:
                loss = net(x).mean()
                if scaler.is_enabled():
                    scaler.scale(loss).backward()
                    scaler.unscale_(opt)
                else:
                    loss.backward()
                torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
                if backend == "deepspeed":
                    opt.step()
                elif scaler.is_enabled():
                    scaler.step(opt)
                    scaler.update()
                else:
                    opt.step()
                opt.zero_grad()


        if __name__ == "__main__":
            settings = override_from_kv(cfg, args.overrides)
            train(make_network(settings), make_loader(settings), settings)
    """,
    "the same switch without the backend": """
        import torch
        from tools import args, cfg, make_loader, make_network, override_from_kv


        def train(net, loader, cfg):
            backend = cfg.get("distributed", {}).get("backend", "ddp")
            opt = torch.optim.AdamW(net.parameters())
            fp16 = cfg["dtype"] == "fp16"
            scaler = torch.cuda.amp.GradScaler(enabled=fp16)
            for x, y in loader:
                loss = net(x).mean()
                if scaler.is_enabled():
                    scaler.scale(loss).backward()
                    scaler.unscale_(opt)
                else:
                    loss.backward()
                torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
                if backend == "deepspeed":
                    opt.step()  # wrong: step-bypasses-scaler
                elif scaler.is_enabled():
                    scaler.step(opt)
                    scaler.update()
                else:
                    opt.step()
                opt.zero_grad()


        if __name__ == "__main__":
            settings = override_from_kv(cfg, args.overrides)
            train(make_network(settings), make_loader(settings), settings)
    """,
    "losses gathered for one window, in a loop that ends after so many steps": """
        import torch


        def train(policy, loader, opt, args, log):
            num_rl_steps = args.num_rl_steps
            accum_steps = args.prompts * args.group // args.size
            step, kept = 0, []
            while step < num_rl_steps:
                for x, y in loader:
                    out = policy(x)
                    loss = (out - y).square().mean() / accum_steps
                    kept.append(loss)
                    loss.backward()
                    if (step + 1) % accum_steps == 0:
                        opt.step()
                        opt.zero_grad()
                        log(sum(kept))
                        kept = []
                    step += 1
                    if step >= num_rl_steps:
                        break
    """,
    "losses gathered in a dictionary for one window, with a return": """
        import torch


        def run(net, batches, optimizer, cfg, report):
            window = cfg.total // cfg.size
            seen, parts = 0, {}
            while True:
                for x, y in batches():
                    loss = (net(x) - y).abs().mean() / window
                    loss.backward()
                    parts.setdefault("loss", []).append(loss)
                    if (seen + 1) % window == 0:
                        optimizer.step()
                        optimizer.zero_grad()
                        report(sum(parts["loss"]))
                        parts = {}
                    seen += 1
                    if seen >= cfg.rounds:
                        return net
    """,
    "losses gathered for ever, in such a loop": """
        import torch


        def train(policy, loader, opt, args, log):
            num_rl_steps = args.num_rl_steps
            accum_steps = args.prompts * args.group // args.size
            step, kept = 0, []
            while step < num_rl_steps:
                for x, y in loader:
                    out = policy(x)
                    loss = (out - y).square().mean() / accum_steps
                    kept.append(loss)  # wrong: loss-graph-leak
                    loss.backward()
                    if (step + 1) % accum_steps == 0:
                        opt.step()
                        opt.zero_grad()
                        log(sum(kept))
                    step += 1
                    if step >= num_rl_steps:
                        break
    """,
}

_LIMITS = {
    "a limit that is multiplied by the scale": """
        import torch

        class Run:
            def __init__(self, model, optimizer):
                self.model, self.optimizer = model, optimizer
                self.scaler = torch.cuda.amp.GradScaler()

            def limit(self):
                return float(self.scaler.get_scale()) * 0.5

            def train(self, loader):
                for x, y in loader:
                    self.optimizer.zero_grad()
                    with torch.autocast("cuda", dtype=torch.float16):
                        loss = torch.nn.functional.mse_loss(self.model(x), y)
                    self.scaler.scale(loss).backward()
                    torch.nn.utils.clip_grad_norm_(self.model.parameters(), max_norm=self.limit())
                    self.scaler.step(self.optimizer)
                    self.scaler.update()
    """,
    "limits of values, in the scale of a name": """
        import torch

        def train(model, loader, optimizer, bound):
            scaler = torch.amp.GradScaler("cuda")
            for x, y in loader:
                with torch.autocast("cuda", dtype=torch.float16):
                    loss = torch.nn.functional.mse_loss(model(x), y)
                scaler.scale(loss).backward()
                factor = scaler.get_scale()
                bounds = bound * factor
                torch.nn.utils.clip_grad_value_(model.parameters(), bounds)
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad()
    """,
    "each of several optimizers unscaled and its network clipped": """
        import torch

        def train(nets, loader, criterion):
            optimizers = {name: torch.optim.Adam(net.parameters()) for name, net in nets.items()}
            scaler = torch.amp.GradScaler("cuda")
            for x, y in loader:
                for optimizer in optimizers.values():
                    optimizer.zero_grad()
                with torch.autocast("cuda", dtype=torch.float16):
                    loss = criterion(nets["tail"](nets["head"](x)), y)
                scaler.scale(loss).backward()
                for name, optimizer in optimizers.items():
                    scaler.unscale_(optimizer)
                    torch.nn.utils.clip_grad_norm_(nets[name].parameters(), 1.0)
                for optimizer in optimizers.values():
                    scaler.step(optimizer)
                scaler.update()
    """,
    "a limit that is divided by the scale": """
        import torch

        def train(model, loader, optimizer, bound):
            scaler = torch.amp.GradScaler("cuda")
            for x, y in loader:
                with torch.autocast("cuda", dtype=torch.float16):
                    loss = torch.nn.functional.mse_loss(model(x), y)
                scaler.scale(loss).backward()
                limit = bound / scaler.get_scale()
                torch.nn.utils.clip_grad_norm_(model.parameters(), limit)  # wrong: clip-scaled-gradients
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad()
    """,
    "a scale that is only told": """
        import torch

        def train(model, loader, optimizer, bound):
            scaler = torch.amp.GradScaler("cuda")
            for x, y in loader:
                with torch.autocast("cuda", dtype=torch.float16):
                    loss = torch.nn.functional.mse_loss(model(x), y)
                scaler.scale(loss).backward()
                now = scaler.get_scale()
                limit = bound * 2
                print(now * 2, limit)
                torch.nn.utils.clip_grad_norm_(model.parameters(), limit)  # wrong: clip-scaled-gradients
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad()
    """,
    "networks clipped one by one, none of them unscaled": """
        import torch

        def train(nets, loader, criterion):
            optimizers = {name: torch.optim.Adam(net.parameters()) for name, net in nets.items()}
            scaler = torch.amp.GradScaler("cuda")
            for x, y in loader:
                for optimizer in optimizers.values():
                    optimizer.zero_grad()
                with torch.autocast("cuda", dtype=torch.float16):
                    loss = criterion(nets["tail"](nets["head"](x)), y)
                scaler.scale(loss).backward()
                for name in nets:
                    torch.nn.utils.clip_grad_norm_(nets[name].parameters(), 1.0)  # wrong: clip-scaled-gradients
                for optimizer in optimizers.values():
                    scaler.step(optimizer)
                scaler.update()
    """,
}

_WHOLE = {
    "so many rows as whole windows have": """
        import torch

        def train(model, table, optimizer, size=32, accum=4):
            count = len(table) // (size * accum) * accum
            for epoch in range(10):
                order = torch.randperm(len(table))
                for i in range(count):
                    rows = table[order[i * size : (i + 1) * size]]
                    (torch.nn.functional.mse_loss(model(rows), rows) / accum).backward()
                    if i % accum == accum - 1:
                        optimizer.step()
                        optimizer.zero_grad()
    """,
    "a number of updates times a window of four": """
        import torch

        STEPS = 4

        def train(model, source, optimizer):
            for epoch in range(10):
                for i in range(source.updates() * STEPS):
                    x, y = source.draw(i)
                    (torch.nn.functional.mse_loss(model(x), y) / STEPS).backward()
                    if (i + 1) % STEPS == 0:
                        optimizer.step()
                        optimizer.zero_grad()
    """,
    "twice as many as a window divides": """
        import torch

        def train(model, source, optimizer):
            for epoch in range(10):
                for i in range(8 * source.updates):
                    x, y = source.draw(i)
                    (torch.nn.functional.mse_loss(model(x), y) / 4).backward()
                    if (i + 1) % 4 == 0:
                        optimizer.step()
                        optimizer.zero_grad()
    """,
    "so many rows as whole batches have": """
        import torch

        def train(model, table, optimizer, accum=4):
            count = table.size(0) // 32
            for epoch in range(10):
                order = torch.randperm(len(table))
                for i in range(count):
                    rows = table[order[i * 32 : (i + 1) * 32]]
                    (torch.nn.functional.mse_loss(model(rows), rows) / accum).backward()
                    if i % accum == accum - 1:  # wrong: dropped-accumulation-tail
                        optimizer.step()
                        optimizer.zero_grad()
    """,
    "a multiple of half a window": """
        import torch

        def train(model, source, optimizer):
            for epoch in range(10):
                for i in range(source.updates() * 2):
                    x, y = source.draw(i)
                    (torch.nn.functional.mse_loss(model(x), y) / 4).backward()
                    if (i + 1) % 4 == 0:  # wrong: dropped-accumulation-tail
                        optimizer.step()
                        optimizer.zero_grad()
    """,
}

_ADVERSARY = {
    "an adversary that learns within the window, frozen for the other": """
        import torch
        from nets import Decoder, Judge

        decoder, judge = Decoder(), Judge()
        slow = torch.optim.Adam(decoder.parameters(), lr=1e-4)
        fast = torch.optim.Adam(judge.parameters(), lr=1e-4)

        def train(stream, accum=4):
            for update in range(1000):
                slow.zero_grad()
                for _ in range(accum):
                    image = next(stream)
                    made = decoder(image)
                    for p in judge.parameters():
                        p.requires_grad = False
                    loss = (made - image).abs().mean() - judge(made).mean()
                    (loss / accum).backward()
                    for p in judge.parameters():
                        p.requires_grad = True
                    hinge = judge(made.detach()).mean() - judge(image).mean()
                    fast.zero_grad()
                    hinge.backward()
                    fast.step()
                slow.step()
    """,
    "an adversary that is cleared before its own loss": """
        import torch
        from nets import Decoder, Judge

        def train(stream, accum=4):
            decoder, judge = Decoder(), Judge()
            slow = torch.optim.Adam(decoder.parameters(), lr=1e-4)
            fast = torch.optim.Adam(judge.parameters(), lr=1e-4)
            for update in range(1000):
                slow.zero_grad()
                for _ in range(accum):
                    image = next(stream)
                    made = decoder(image)
                    loss = (made - image).abs().mean() - judge(made).mean()
                    (loss / accum).backward()
                    fast.zero_grad()
                    hinge = judge(made.detach()).mean() - judge(image).mean()
                    hinge.backward()
                    fast.step()
                slow.step()
    """,
    "a head that is unfrozen alone": """
        import torch
        from nets import Net

        def train(loader, accum=4):
            net = Net()
            net.requires_grad_(False)
            net.head.requires_grad_(True)
            optimizer = torch.optim.Adam(net.head.parameters(), lr=1e-4)
            other = torch.optim.Adam(net.neck.parameters(), lr=1e-4)
            for i, (x, y) in enumerate(loader):
                loss = torch.nn.functional.mse_loss(net(x), y) / accum
                loss.backward()
                if (i + 1) % accum == 0 or i + 1 == len(loader):
                    optimizer.step()
                    other.step()
                    optimizer.zero_grad()
                    other.zero_grad()
    """,
    "the same with a window that is not divided by": """
        import torch
        from nets import Decoder, Judge

        def train(stream, accum=4):
            decoder, judge = Decoder(), Judge()
            slow = torch.optim.Adam(decoder.parameters(), lr=1e-4)
            fast = torch.optim.Adam(judge.parameters(), lr=1e-4)
            for update in range(1000):
                slow.zero_grad()
                for _ in range(accum):
                    image = next(stream)
                    made = decoder(image)
                    loss = (made - image).abs().mean() - judge(made).mean()
                    loss.backward()  # wrong: unscaled-accumulation-loss
                    fast.zero_grad()
                    hinge = judge(made.detach()).mean() - judge(image).mean()
                    hinge.backward()
                    fast.step()
                slow.step()
    """,
}

_WHOSE = {
    "a critic of parts that nobody sees, whose loss goes through the maker before its clear": """
        import torch

        class Pair:
            def __init__(self, maker, judge):
                self.maker, self.judge = maker.cuda(), judge.cuda()
                self.slow = torch.optim.Adam(self.maker.parameters())
                self.fast = torch.optim.Adam(self.judge.parameters())

            def train(self, loader):
                for real in loader:
                    self.fast.zero_grad()
                    made = self.maker(real)
                    loss = self.patch(real).mean() - self.patch(made).mean()
                    loss.backward()
                    self.fast.step()
                    self.slow.zero_grad()
                    made = self.maker(real)
                    loss = -self.patch(made).mean()
                    loss.backward()
                    self.slow.step()
    """,
    "a first loss that no other optimizer steps on is lost": """
        import torch

        class Pair:
            def __init__(self, maker, judge):
                self.maker, self.judge = maker.cuda(), judge.cuda()
                self.slow = torch.optim.Adam(self.maker.parameters())
                self.fast = torch.optim.Adam(self.judge.parameters())

            def train(self, loader):
                for real in loader:
                    made = self.maker(real)
                    loss = (made - real).abs().mean()
                    loss.backward()
                    self.slow.zero_grad()  # wrong: zero-grad-in-accumulation
                    made = self.maker(real)
                    loss = made.square().mean()
                    loss.backward()
                    self.slow.step()
    """,
    "a backward that names the parameters it is for": """
        import torch
        from nets import adam

        def train(body, scores, loader):
            slow = torch.optim.Adam(body.parameters())
            fast = adam(scores)
            for x, y in loader:
                slow.zero_grad()
                loss = (body(x) @ scores[0] - y).square().mean()
                loss.backward(inputs=list(body.parameters()), retain_graph=True)
                fast.zero_grad()
                loss.backward(inputs=scores)
                fast.step()
                slow.step()
    """,
    "a backward for parameters of another optimizer leaves nothing in this one's": """
        import torch

        def train(body, head, loader):
            slow = torch.optim.Adam(body.parameters())
            fast = torch.optim.Adam(head.parameters())
            for x, y in loader:
                slow.zero_grad()
                (head(body(x)) - y).square().mean().backward(inputs=list(body.parameters()))
                slow.step()
                (head(body(x)) - y).abs().mean().backward()
                fast.step()
                fast.zero_grad()
    """,
    "a backward that names the parameters which are then cleared": """
        import torch

        def train(body, head, loader):
            slow = torch.optim.Adam(body.parameters())
            fast = torch.optim.Adam(head.parameters())
            for x, y in loader:
                loss = (head(body(x)) - y).square().mean()
                loss.backward(inputs=list(body.parameters()), retain_graph=True)
                slow.zero_grad()  # wrong: zero-grad-before-step
                slow.step()
                fast.zero_grad()
                loss.backward(inputs=list(head.parameters()))
                fast.step()
    """,
    "an optimizer of unknown parameters that starts afresh between a loss and the steps of others": """
        import torch
        from nets import adam

        class Agent:
            def __init__(self, body, kind):
                self.body, self.kind = body, kind
                self.slow = torch.optim.Adam(body.parameters())
                self.fast = adam(self.scores)

            def beside(self, loss):
                self.fast.zero_grad()
                if self.kind == "rows":
                    loss.backward(inputs=self.scores)
                elif self.kind == "columns":
                    loss.backward(inputs=self.others)
                self.fast.step()

            def train(self, loader):
                for x, y in loader:
                    self.slow.zero_grad()
                    loss = (self.ensemble[0](x) - y).square().mean()
                    loss.backward()
                    self.beside((self.body(x) @ self.scores).mean())
                    self.slow.step()
    """,
    "a critic that only weighs the actor's loss": """
        import torch

        def gain(critic, batch):
            with torch.no_grad():
                return batch[:, -1:] - critic(batch[:, :3])

        def train(critic, actor, loader):
            fast = torch.optim.Adam(critic.parameters())
            slow = torch.optim.Adam(actor.parameters())
            for batch in loader:
                loss = (critic(batch[:, :3]) - batch[:, -1:]).square().mean()
                loss.backward()
                fast.step()
                fast.zero_grad()
                loss = -(actor(batch[:, :3]) * gain(critic, batch)).mean()
                loss.backward()
                slow.step()
                slow.zero_grad()
    """,
    "a critic through which the actor's loss goes": """
        import torch

        def gain(critic, batch):
            return batch[:, -1:] - critic(batch[:, :3])

        def train(critic, actor, loader):
            fast = torch.optim.Adam(critic.parameters())
            slow = torch.optim.Adam(actor.parameters())
            for batch in loader:
                loss = (critic(batch[:, :3]) - batch[:, -1:]).square().mean()
                loss.backward()
                fast.step()  # wrong: missing-zero-grad
                fast.zero_grad()
                loss = -(actor(batch[:, :3]) * gain(critic, batch)).mean()
                loss.backward()
                slow.step()
                slow.zero_grad()
    """,
    "a loss of two networks, made elsewhere, may clear them": """
        import torch


        class Trainer:
            def __init__(self, judge, maker, judged):
                self.judge, self.maker, self.judged = judge.cuda(), maker.cuda(), judged
                self.slow = torch.optim.Adam(self.maker.parameters())
                self.fast = torch.optim.Adam(self.judge.parameters())

            def train(self, loader):
                for real in loader:
                    loss = self.judged(self.judge, self.maker, real)
                    loss.backward()
                    self.fast.step()
    """,
    "a loss of one network, made elsewhere, clears nothing": """
        import torch


        class Trainer:
            def __init__(self, judge, maker, judged):
                self.judge, self.maker, self.judged = judge.cuda(), maker.cuda(), judged
                self.slow = torch.optim.Adam(self.maker.parameters())
                self.fast = torch.optim.Adam(self.judge.parameters())

            def train(self, loader):
                for real in loader:
                    loss = self.judged(self.judge, real)
                    loss.backward()
                    self.fast.step()  # wrong: missing-zero-grad
    """,
}

_SHAPES = {
    "helper": _HELPER,
    "divided in place": _DIVIDED,
    "sum": _SUM,
    "factory": _FACTORY,
    "names": _NAMES,
    "foreign": _FOREIGN,
    "accelerate": _ACCELERATE,
    "reduced by hand": _REDUCED,
    "cleared on purpose": _ON_PURPOSE,
    "owned": _OWNED,
    "teacher": _TEACHER,
    "schedule": _SCHEDULE,
    "kept": _KEPT,
    "carried": _CARRIED,
    "elsewhere": _ELSEWHERE,
    "others": _OTHERS,
    "rewritten": _REWRITTEN,
    "tested": _TESTED,
    "counted": _COUNTED,
    "mode": _MODE,
    "switched": _SWITCHED,
    "limited": _LIMITED,
    "limits in the loss scale": _LIMITS,
    "whole windows": _WHOLE,
    "adversary": _ADVERSARY,
    "whose gradients": _WHOSE,
}

ALARMS = [_alarm(shape, title, text) for shape, texts in _SHAPES.items() for title, text in texts.items()]
"""Every loop of every shape."""
