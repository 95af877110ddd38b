"""A repair loses no work: helpers that do more than the mistake stay where they are.

Before and after in one text, as in a diff; an empty diff means that nothing is offered.
"""

from __future__ import annotations

import pytest

from gradlint.config import Settings
from gradlint.engine import fix_text

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


 def train(model, loader, opt, sched, n):
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
 def train(model, loader, opt, sched, n):
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
}

REFUSED = {
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


@pytest.mark.parametrize("name", REPAIRED)
def test_the_mistake_goes_and_the_work_stays(name: str) -> None:
    before, after = _sides(REPAIRED[name])
    result = fix_text(before, f"{name}.py", Settings())
    assert result.text == after
    assert (result.remaining, result.withdrawn) == ((), ())


@pytest.mark.parametrize("name", REFUSED)
def test_no_repair_is_better_than_a_wrong_one(name: str) -> None:
    before, _ = _sides(REFUSED[name])
    result = fix_text(before, f"{name}.py", Settings(), unsafe=True)
    assert result.text == before
    assert result.remaining
    assert result.withdrawn == ()
