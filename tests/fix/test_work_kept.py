"""A repair loses no work: helpers that do more than the mistake stay where they are.

Before and after in one text, as in a diff; an empty diff means that nothing is offered.
"""

from __future__ import annotations

import pytest

from gradlint.check.engine import fix_text
from gradlint.model.settings import Settings

HEAD = """\
import torch
from torch.nn.utils import clip_grad_norm_


"""

REPAIRED = {
    "the zero leaves a helper that goes backward": """\
 def forward_backward(model, batch, n):
-    model.zero_grad()
     loss = model(batch).mean() / n
     loss.backward()
     return loss.item()


 def train(model, loader, opt, n):
     for i, batch in enumerate(loader, 1):
         forward_backward(model, batch, n)
         if i % n == 0 or i == len(loader):
             opt.step()
+            model.zero_grad()
""",
    "the clip leaves a helper that goes backward": """\
 def backward(model, loss):
     loss.backward()
-    clip_grad_norm_(model.parameters(), 1.0)


 def train(model, loader, opt, n):
     opt.zero_grad()
     for i, batch in enumerate(loader, 1):
         backward(model, model(batch).mean() / n)
         if i % n == 0 or i == len(loader):
+            clip_grad_norm_(model.parameters(), 1.0)
             opt.step()
             opt.zero_grad()
""",
    "the clip leaves a method that goes backward": """\
 class Learner:
     def __init__(self, net, opt):
         self.net, self.opt = net, opt

     def backward(self, loss):
         loss.backward()
-        clip_grad_norm_(self.net.parameters(), 1.0)

     def update(self, chunks):
         self.opt.zero_grad()
         for chunk in chunks:
             self.backward(self.net(chunk).mean() / len(chunks))
+        clip_grad_norm_(self.net.parameters(), 1.0)
         self.opt.step()

     def run(self, loader):
         for chunks in loader:
             self.update(chunks)
""",
    "the schedule leaves a helper that goes backward": """\
 def work(model, batch, sched, n):
     loss = model(batch).mean() / n
     loss.backward()
-    sched.step()


 def train(model, loader, opt, updates, n):
     sched = torch.optim.lr_scheduler.LinearLR(opt, total_iters=updates)
     c = 0
     for epoch in range(9):
         for batch in loader:
             work(model, batch, sched, n)
             c += 1
             if c % n == 0:
                 opt.step()
+                sched.step()
                 opt.zero_grad()
""",
    "a move that is there already is not made again": """\
 def train(model, loader, opt, updates, n):
     sched = torch.optim.lr_scheduler.LinearLR(opt, total_iters=updates)
     c = 0
     for epoch in range(9):
         for batch in loader:
             (model(batch).mean() / n).backward()
             c += 1
             if c % n:
-                sched.step()
                 continue
             opt.step()
             sched.step()
             opt.zero_grad()
""",
    "a helper that only clips is moved": """\
 def clip_all(net, limit):
     clip_grad_norm_(net.parameters(), limit)


 def train(model, loader, opt, n):
     for i, batch in enumerate(loader, 1):
         (model(batch).mean() / n).backward()
-        clip_all(model, 1.0)
         if i % n == 0 or i == len(loader):
+            clip_all(model, 1.0)
             opt.step()
             opt.zero_grad()
""",
    "a helper that logs, too, keeps its call": """\
 class Trainer:
     def __init__(self, model, loader, opt, updates):
         self.model, self.loader, self.opt = model, loader, opt
         self.sched = torch.optim.lr_scheduler.LinearLR(opt, total_iters=updates)

     def after_batch(self, i, loss):
-        self.sched.step()
         print(f"batch {i} loss {loss}")

     def fit(self, n):
         for i, batch in enumerate(self.loader, 1):
             loss = self.model(batch).mean() / n
             loss.backward()
             if i % n == 0 or i == len(self.loader):
                 self.opt.step()
+                self.sched.step()
                 self.opt.zero_grad()
             self.after_batch(i, loss.item())
""",
    "a helper that begins an epoch keeps its call": """\
 class Trainer:
     def __init__(self, model, loader):
         self.model, self.loader = model, loader
         self.opt = torch.optim.SGD(model.parameters(), lr=0.1)
         self.sched = torch.optim.lr_scheduler.StepLR(self.opt, 2)
         self.epoch = 0

     def before_epoch(self):
-        self.sched.step()
         self.epoch += 1
         self.model.train()

     def train(self):
         self.before_epoch()
         for batch in self.loader:
             self.opt.zero_grad()
             self.model(batch).mean().backward()
             self.opt.step()
+        self.sched.step()
         return self.epoch

     def fit(self, epochs):
         while self.epoch < epochs:
             self.train()
""",
    "a schedule goes ahead of where an epoch may be left": """\
 def train(model, loader, judge, epochs):
     opt = torch.optim.SGD(model.parameters(), lr=0.1)
     sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.5)
     best = 9.0
     for epoch in range(epochs):
-        sched.step()
         for batch in loader:
             opt.zero_grad()
             model(batch).mean().backward()
             opt.step()
         error = judge(model)
+        sched.step()
         if error >= best:
             continue
         best = error
""",
    "a zero is not deleted where the other one may not run": """\
 class Trainer:
     def __init__(self, model, opt, count):
         self.model, self.opt, self.count = model, opt, count

     def update(self, parts):
         if self.count > 1:
             self.opt.zero_grad()
         for part in parts:
-            if self.count == 1:
-                self.opt.zero_grad()
             self.model(part).mean().backward()
         self.opt.step()
+        if self.count == 1:
+            self.opt.zero_grad()

     def train(self, loader):
         for parts in loader:
             self.update(parts)
""",
    "a meter that others give numbers is given one": """\
 class Meter:
     def __init__(self):
         self.total = 0.0

     def update(self, value, n=1):
         self.total += value * n


 def train(model, loader, opt):
     losses, hits = Meter(), Meter()
     for batch in loader:
         opt.zero_grad()
         loss = model(batch).mean()
         loss.backward()
         opt.step()
-        losses.update(loss, n=len(batch))
+        losses.update(loss.detach(), n=len(batch))
         hits.update(1.0)
""",
    "the context is that of the wrapped model, not of what it is given to": """\
 from contextlib import nullcontext
 from torch.nn.parallel import DistributedDataParallel


 class Trainer:
     def __init__(self, model, criterion, opt):
         self.model = DistributedDataParallel(model)
         self.criterion, self.opt = criterion, opt

     def train_step(self, samples):
         self.opt.zero_grad()
         for i, sample in enumerate(samples):
-            loss = self.criterion(self.model, sample) / len(samples)
-            loss.backward()
+            with nullcontext() if i == len(samples) - 1 else self.model.no_sync():
+                loss = self.criterion(self.model, sample) / len(samples)
+                loss.backward()
         self.opt.step()

     def train(self, loader):
         for samples in loader:
             self.train_step(samples)
""",
    "what a helper calls its model is called otherwise where the clip goes": """\
 class Trainer:
     def __init__(self, model, args, loader):
         self.model, self.args, self.loader = model, args, loader
         self.opt = torch.optim.SGD(model.parameters(), lr=0.1)

     def training_step(self, model, batch):
         loss = torch.nn.functional.mse_loss(model(batch), batch) / self.args.accumulate
         loss.backward()
-        clip_grad_norm_(model.parameters(), self.args.limit)
         return loss.detach()

     def train(self):
         for i, batch in enumerate(self.loader, 1):
             self.training_step(self.model, batch)
             if i % self.args.accumulate == 0 or i == len(self.loader):
+                clip_grad_norm_(self.model.parameters(), self.args.limit)
                 self.opt.step()
                 self.opt.zero_grad()
""",
    "the window is read off `self` where its short name is not at hand": """\
 class Trainer:
     def __init__(self, model, args, loader):
         self.model, self.args, self.loader = model, args, loader
         self.opt = torch.optim.SGD(model.parameters(), lr=0.1)

     def training_step(self, batch):
         loss = torch.nn.functional.mse_loss(self.model(batch), batch)
-        loss.backward()
+        (loss / self.args.accumulate).backward()
         return loss.detach()

     def train(self):
         args = self.args
         for i, batch in enumerate(self.loader, 1):
             self.training_step(batch)
             if i % args.accumulate == 0:
                 self.opt.step()
                 self.opt.zero_grad()
""",
    "a clip goes with the norm that it adds to a meter": """\
 class Trainer:
     def __init__(self, model, args, loader):
         self.model, self.args, self.loader = model, args, loader
         self.opt = torch.optim.SGD(model.parameters(), lr=0.1)

     def backward(self, loss):
         (loss / self.args.accumulate).backward()
-        self.meters["norm"] += float(clip_grad_norm_(self.model.parameters(), 1.0))

     def update(self):
+        self.meters["norm"] += float(clip_grad_norm_(self.model.parameters(), 1.0))
         self.opt.step()
         self.opt.zero_grad()

     def one_batch(self, i, batch):
         loss = torch.nn.functional.mse_loss(self.model(batch), batch)
         self.backward(loss)
         self.meters["loss"] += loss.item()
         if i % self.args.accumulate == 0:
             self.update()

     def train(self):
         self.meters = {"norm": 0.0, "loss": 0.0}
         for i, batch in enumerate(self.loader, 1):
             self.one_batch(i, batch)
         print(self.meters)
""",
    "two schedules of one name are not one that moves twice": """\
 def train_one_epoch(model, opt, loader, epoch):
     lr_scheduler = None
     if epoch == 0:
         lr_scheduler = torch.optim.lr_scheduler.LinearLR(opt, 0.1, total_iters=9)
     for batch in loader:
         loss = torch.nn.functional.mse_loss(model(batch), batch)
-        if lr_scheduler is not None:
-            lr_scheduler.step()
         opt.zero_grad()
         loss.backward()
         opt.step()
+        if lr_scheduler is not None:
+            lr_scheduler.step()


 def main(model, loader):
     opt = torch.optim.SGD(model.parameters(), lr=0.1)
     lr_scheduler = torch.optim.lr_scheduler.StepLR(opt, 2)
     for epoch in range(3):
         train_one_epoch(model, opt, loader, epoch)
         lr_scheduler.step()
""",
}

REFUSED = {
    "a schedule stays where an epoch may be left before its first step": """\
 def train(model, loader, judge, epochs):
     opt = torch.optim.SGD(model.parameters(), lr=0.1)
     sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.5)
     for epoch in range(epochs):
         sched.step()
         if judge(model) < 0.1:
             continue
         for batch in loader:
             opt.zero_grad()
             model(batch).mean().backward()
             opt.step()
""",
    "a schedule stays where its rate is told behind where an epoch may be left": """\
 def train(model, loader, judge, epochs):
     opt = torch.optim.SGD(model.parameters(), lr=0.1)
     sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.5)
     for epoch in range(epochs):
         sched.step()
         for batch in loader:
             opt.zero_grad()
             model(batch).mean().backward()
             opt.step()
         if judge(model) < 0.1:
             continue
         print(epoch, sched.get_last_lr())
""",
    "a clip whose norm is read before the step": """\
 class Trainer:
     def __init__(self, model, args, loader):
         self.model, self.args, self.loader = model, args, loader
         self.opt = torch.optim.SGD(model.parameters(), lr=0.1)

     def backward(self, loss):
         (loss / self.args.accumulate).backward()
         self.norm = float(clip_grad_norm_(self.model.parameters(), 1.0))

     def update(self):
         self.opt.step()
         self.opt.zero_grad()

     def one_batch(self, i, batch):
         loss = torch.nn.functional.mse_loss(self.model(batch), batch)
         self.backward(loss)
         print(i, self.norm)
         if i % self.args.accumulate == 0:
             self.update()

     def train(self):
         for i, batch in enumerate(self.loader, 1):
             self.one_batch(i, batch)
""",
    "a clip of what the helper has made of its model": """\
 class Trainer:
     def __init__(self, model, args, loader):
         self.model, self.args, self.loader = model, args, loader
         self.opt = torch.optim.SGD(model.parameters(), lr=0.1)

     def training_step(self, model, batch):
         model = getattr(model, "module", model)
         loss = torch.nn.functional.mse_loss(model(batch), batch) / self.args.accumulate
         loss.backward()
         clip_grad_norm_(model.parameters(), self.args.limit)

     def train(self):
         for i, batch in enumerate(self.loader, 1):
             self.training_step(self.model, batch)
             if i % self.args.accumulate == 0:
                 self.opt.step()
                 self.opt.zero_grad()
""",
    "a window whose short name is given again": """\
 class Trainer:
     def __init__(self, model, args, loader):
         self.model, self.args, self.loader = model, args, loader
         self.opt = torch.optim.SGD(model.parameters(), lr=0.1)

     def training_step(self, batch):
         loss = torch.nn.functional.mse_loss(self.model(batch), batch)
         loss.backward()

     def train(self, args=None):
         if args is None:
             args = self.args
         for i, batch in enumerate(self.loader, 1):
             self.training_step(batch)
             if i % args.accumulate == 0:
                 self.opt.step()
                 self.opt.zero_grad()
""",
    "a clip that other loops need stays in the helper": """\
 def backward(model, loss):
     loss.backward()
     clip_grad_norm_(model.parameters(), 1.0)


 def train(model, loader, opt, n):
     opt.zero_grad()
     for i, batch in enumerate(loader, 1):
         backward(model, model(batch).mean() / n)
         if i % n == 0 or i == len(loader):
             opt.step()
             opt.zero_grad()


 def train_plain(model, loader, opt):
     for batch in loader:
         opt.zero_grad()
         backward(model, model(batch).mean())
         opt.step()
""",
    "a name that means another model at the new place": """\
 model = torch.nn.Linear(2, 1)


 def backward(model, loss):
     loss.backward()
     clip_grad_norm_(model.parameters(), 1.0)


 def train(net, loader, opt, n):
     opt.zero_grad()
     for i, batch in enumerate(loader, 1):
         backward(net, net(batch).mean() / n)
         if i % n == 0 or i == len(loader):
             opt.step()
             opt.zero_grad()
""",
    "two clips in two branches do not both become every run's": """\
 def train(model, loader, opt, n, cfg, amp):
     for i, batch in enumerate(loader, 1):
         loss = model(batch).mean() / n
         if cfg.fp16:
             with amp.scale_loss(loss, opt) as scaled:
                 scaled.backward()
             clip_grad_norm_(amp.master_params(opt), 1.0)
         else:
             loss.backward()
             clip_grad_norm_(model.parameters(), 1.0)
         if i % n == 0 or i == len(loader):
             opt.step()
             opt.zero_grad()
""",
    "a clip does not leave a condition with more in it, nor its unscale the switch": """\
 def train(model, loader, opt, scaler, cfg):
     for batch in loader:
         opt.zero_grad()
         loss = model(batch).mean()
         if cfg.max_norm is not None:
             if scaler is not None:
                 scaler.unscale_(opt)
             clip_grad_norm_(model.parameters(), cfg.max_norm)
         if scaler is None:
             loss.backward()
             opt.step()
         else:
             scaler.scale(loss).backward()
             scaler.step(opt)
             scaler.update()
""",
    "a later forward does not leave the autocast with the backward": """\
 def train(first, second, loader, opt):
     for batch in loader:
         opt.zero_grad()
         with torch.autocast("cuda", dtype=torch.bfloat16):
             first(batch).mean().backward()
             loss = second(batch).mean()
         loss.backward()
         opt.step()
""",
    "one context does not do for two wrapped models": """\
 from torch.nn.parallel import DistributedDataParallel


 def train(student, project, loader, opt, n):
     student, project = DistributedDataParallel(student), DistributedDataParallel(project)
     for i, batch in enumerate(loader, 1):
         hidden = student(batch)
         loss = project(hidden).mean() / n
         loss.backward()
         if i % n == 0 or i == len(loader):
             opt.step()
             opt.zero_grad()
""",
    "a division is not taken out where its window has no name": """\
 def train(model, loader, opt, cfg):
     for a, b in loader:
         opt.zero_grad()
         for one, two in zip(a.chunk(cfg.micro), b.chunk(cfg.micro)):
             loss = model(one, two)
             loss = loss / len(loader)
             loss.backward()
         opt.step()
""",
    "a clip does not leave its condition": """\
 def train(model, loader, opt, n, cfg):
     for i, batch in enumerate(loader, 1):
         (model(batch).mean() / n).backward()
         if cfg.clip:
             print("clip")
             clip_grad_norm_(model.parameters(), 1.0)
         if i % n == 0 or i == len(loader):
             opt.step()
             opt.zero_grad()
""",
}


def _sides(diff: str) -> tuple[str, str]:
    rows = [row or " " for row in diff.splitlines()]
    before = HEAD + "".join(f"{row[1:]}\n" for row in rows if row[0] != "+")
    return before, HEAD + "".join(f"{row[1:]}\n" for row in rows if row[0] != "-")


UNSAFE = frozenset({"a zero is not deleted where the other one may not run"})
"""Repairs that may uncover another mistake: these are made only where they are asked for."""


@pytest.mark.parametrize("name", REPAIRED)
def test_the_mistake_goes_and_the_work_stays(name: str) -> None:
    before, after = _sides(REPAIRED[name])
    result = fix_text(before, f"{name}.py", Settings(), unsafe=name in UNSAFE)
    assert result.text == after
    assert (result.remaining, result.withdrawn) == ((), ())


@pytest.mark.parametrize("name", REFUSED)
def test_no_repair_is_better_than_a_wrong_one(name: str) -> None:
    before, _ = _sides(REFUSED[name])
    result = fix_text(before, f"{name}.py", Settings(), unsafe=True)
    assert result.text == before
    assert result.remaining
