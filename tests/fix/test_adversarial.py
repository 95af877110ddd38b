"""Repairs in loops that are written in less usual ways: before and after in one text, as in a diff."""

from __future__ import annotations

import pytest

from gradlint.check.engine import fix_text
from gradlint.fix.code import negated
from gradlint.model.finding import Safety
from gradlint.model.settings import Settings

HEAD = """\
from contextlib import nullcontext
import torch
from torch import nn
from torch.nn.functional import mse_loss
model = nn.Linear(4, 1)
loader = DataLoader(dataset)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
"""
AMP = 'scaler = torch.amp.GradScaler("cuda")\n'
DDP = "model = nn.parallel.DistributedDataParallel(model)\n"

CASES = {
    "the question that kept the first batch out goes": """\
 n = 4
 for i, (x, y) in enumerate(loader):
     (mse_loss(model(x), y) / n).backward()
-    if i > 0 and i % n == 0:
+    if (i + 1) % n == 0:
         optimizer.step()
         optimizer.zero_grad()
""",
    "a condition computed behind the forward moves before it": f"""\
 {DDP} n = 4
 for i, (x, y) in enumerate(loader):
-    loss = mse_loss(model(x), y) / n
-    loss.backward()
     update = (i + 1) % n == 0
+    with nullcontext() if update else model.no_sync():
+        loss = mse_loss(model(x), y) / n
+        loss.backward()
     if update:
         optimizer.step()
         optimizer.zero_grad()
""",
    "what the scope of no_sync needs stays before it": f"""\
 {DDP} n = 4
 for i, (x, y) in enumerate(loader):
-    out = model(x)
-    loss = mse_loss(out, y) / n
     scope = nullcontext() if (i + 1) % n == 0 else model.no_sync()
     with scope:
+        out = model(x)
+        loss = mse_loss(out, y) / n
         loss.backward()
     if (i + 1) % n == 0:
         optimizer.step()
         optimizer.zero_grad()
""",
    "the scaler is asked for where it may be none": """\
 use_amp = True
 scaler = torch.amp.GradScaler("cuda") if use_amp else None
 for x, y in loader:
     optimizer.zero_grad()
     loss = mse_loss(model(x), y)
     if use_amp:
         scaler.scale(loss).backward()
     else:
         loss.backward()
+    if use_amp:
+        scaler.unscale_(optimizer)
     nn.utils.clip_grad_norm_(model.parameters(), 1.0)
     if use_amp:
         scaler.step(optimizer)
         scaler.update()
     else:
         optimizer.step()
""",
    "a backward is scaled only where the step is": f"""\
 {AMP} def train(fp16):
     for x, y in loader:
         optimizer.zero_grad()
         loss = mse_loss(model(x), y)
-        loss.backward()
+        if fp16:
+            scaler.scale(loss).backward()
+        else:
+            loss.backward()
         if fp16:
             scaler.step(optimizer)
             scaler.update()
         else:
             optimizer.step()
""",
    "a step goes through the scaler only where the backward does": f"""\
 {AMP} def train(fp16):
     for x, y in loader:
         optimizer.zero_grad()
         loss = mse_loss(model(x), y)
         if fp16:
             scaler.scale(loss).backward()
         else:
             loss.backward()
         # take it
-        optimizer.step()
+        if fp16:
+            scaler.step(optimizer)
+            scaler.update()
+        else:
+            optimizer.step()
""",
    "the loader of a progress bar is asked for its length": """\
 n = 4
 for epoch in range(2):
     bar = tqdm(enumerate(loader), total=len(loader))
     for i, (x, y) in bar:
         (mse_loss(model(x), y) / n).backward()
-        if (i + 1) % n == 0:
+        if (i + 1) % n == 0 or (i + 1) == len(loader):
             optimizer.step()
             optimizer.zero_grad()
""",
    "a counter that starts anew in each epoch": """\
 n = 4
 for epoch in range(2):
     seen = 0
     for x, y in loader:
         (mse_loss(model(x), y) / n).backward()
         seen += 1
-        if seen % n == 0:
+        if seen % n == 0 or seen == len(loader):
             optimizer.step()
             optimizer.zero_grad()
""",
    "the shorter of two loaders ends the loop": """\
 n = 4
 for epoch in range(2):
+    i = -1
     for i, (a, b) in enumerate(zip(loader, others)):
         (mse_loss(model(a), b) / n).backward()
         if (i + 1) % n == 0:
             optimizer.step()
             optimizer.zero_grad()
+    if (i + 1) % n != 0:
+        optimizer.step()
+        optimizer.zero_grad()
""",
    "a tail is flushed and synchronised": f"""\
 {DDP} n = 4
 for epoch in range(2):
     for i, (x, y) in enumerate(loader):
-        with nullcontext() if (i + 1) % n == 0 else model.no_sync():
+        with nullcontext() if (i + 1) % n == 0 or (i + 1) == len(loader) else model.no_sync():
             (mse_loss(model(x), y) / n).backward()
-        if (i + 1) % n == 0:
+        if (i + 1) % n == 0 or (i + 1) == len(loader):
             optimizer.step()
             optimizer.zero_grad()
""",
    "a guard that ends the iteration": """\
 n = 4
 for epoch in range(2):
     for i, (x, y) in enumerate(loader):
         (mse_loss(model(x), y) / n).backward()
-        if (i + 1) % n != 0:
+        if (i + 1) % n != 0 and (i + 1) != len(loader):
             continue
         optimizer.step()
         optimizer.zero_grad()
""",
    "a generator becomes a list": """\
-params = (p for p in model.parameters() if p.requires_grad)
+params = [p for p in model.parameters() if p.requires_grad]
 optimizer = torch.optim.SGD(params, lr=0.1)
 for x, y in loader:
     optimizer.zero_grad()
     mse_loss(model(x), y).backward()
     nn.utils.clip_grad_norm_(params, 1.0)
     optimizer.step()
""",
    "a keyword gets a line of its own": """\
 scaler = torch.amp.GradScaler(
     "cuda",
     growth_interval=1000,  # slowly
+    enabled=False,
 )
 for x, y in loader:
     optimizer.zero_grad()
     with torch.autocast("cuda", dtype=torch.bfloat16):
         loss = mse_loss(model(x), y)
     scaler.scale(loss).backward()
     scaler.step(optimizer)
     scaler.update()
""",
    "one update of the scaler for all that it steps": f"""\
 {AMP} head = nn.Linear(1, 1)
 second = torch.optim.SGD(head.parameters(), lr=0.1)
 for x, y in loader:
     optimizer.zero_grad()
     second.zero_grad()
     scaler.scale(mse_loss(head(model(x)), y)).backward()
     scaler.step(optimizer)
     scaler.step(second)
+    scaler.update()
""",
    "gradients of several optimizers are cleared after all steps": """\
 head = nn.Linear(1, 1)
 second = torch.optim.SGD(head.parameters(), lr=0.1)
 n = 4
 for i, (x, y) in enumerate(loader):
-    optimizer.zero_grad()
-    second.zero_grad()
     (mse_loss(head(model(x)), y) / n).backward()
     if (i + 1) % n == 0:
         optimizer.step()
         second.step()
+        optimizer.zero_grad()
+        second.zero_grad()
""",
    "a norm is computed before it is first read": """\
 n = 4
 for i, (x, y) in enumerate(loader):
     (mse_loss(model(x), y) / n).backward()
-    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
     if (i + 1) % n == 0:
+        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
         print(norm)
         optimizer.step()
         optimizer.zero_grad()
""",
    "a norm that had a value before the loop": """\
 norm, n = 0.0, 4
 for i, (x, y) in enumerate(loader):
     (mse_loss(model(x), y) / n).backward()
-    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
     if (i + 1) % n == 0:
+        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
         optimizer.step()
         optimizer.zero_grad()
     print(norm)
""",
    "clearing goes out of autocast together with the backward": f"""\
 {AMP} for x, y in loader:
     with torch.autocast("cuda"):
         loss = mse_loss(model(x), y)

-        optimizer.zero_grad()
-        scaler.scale(loss).backward()
+    optimizer.zero_grad()
+    scaler.scale(loss).backward()
     scaler.step(optimizer)
     scaler.update()
""",
    "a division that is all of a statement": """\
 steps = 4
 accelerator = Accelerator(gradient_accumulation_steps=steps)
 model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
 for x, y in loader:
     with accelerator.accumulate(model):
         loss = mse_loss(model(x), y)
-        loss = loss / steps
         accelerator.backward(loss)
         optimizer.step()
         optimizer.zero_grad()
""",
    "a mistake that another one hid is mended with it": """\
 n = 4
 for i, (x, y) in enumerate(loader):
-    optimizer.zero_grad()
-    mse_loss(model(x), y).backward()
+    (mse_loss(model(x), y) / n).backward()
     if (i + 1) % n == 0:
         optimizer.step()
+        optimizer.zero_grad()
""",
    "a clip beside the zero that hides it is mended, too": """\
 accelerator = Accelerator(gradient_accumulation_steps=4)
 model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
 for x, y in loader:
     with accelerator.accumulate(model):
-        optimizer.zero_grad()
         accelerator.backward(mse_loss(model(x), y))
-        accelerator.clip_grad_norm_(model.parameters(), 1.0)
+        if accelerator.sync_gradients:
+            accelerator.clip_grad_norm_(model.parameters(), 1.0)
         optimizer.step()
+        optimizer.zero_grad()
""",
    "a backward in two branches becomes one": f"""\
 {DDP} n = 4
 for i, (x, y) in enumerate(loader):
-    loss = mse_loss(model(x), y) / n
-    if (i + 1) % n == 0:
-        loss.backward()
-        optimizer.step()
-        optimizer.zero_grad()
-    else:
-        with model.no_sync():
-            loss.backward()
+    with nullcontext() if (i + 1) % n == 0 else model.no_sync():
+        loss = mse_loss(model(x), y) / n
+        loss.backward()
+    if (i + 1) % n == 0:
+        optimizer.step()
+        optimizer.zero_grad()
""",
    "a comment between what follows stays there, and a broken line is the same backward": f"""\
 {DDP} n = 4
 for i, (x, y) in enumerate(loader):
-    loss = mse_loss(model(x), y) / n
-    if (i + 1) % n == 0:
-        loss.backward()
-        optimizer.step()
+    with nullcontext() if (i + 1) % n == 0 else model.no_sync():
+        loss = mse_loss(model(x), y) / n
+        loss \\
+        .backward()
+    if (i + 1) % n == 0:
+        optimizer.step()
 # of this update
         optimizer.zero_grad()
-    else:
-        with model.no_sync():
-            loss \\
-            .backward()
""",
    "what follows in the other branch keeps its condition": f"""\
 {DDP} n = 4
 for i, (x, y) in enumerate(loader):
     last = (i + 1) % n == 0
-    loss = mse_loss(model(x), y) / n
     # average once
-    if not last:
-        with model.no_sync():
-            loss.backward()
-    else:
+    with model.no_sync() if not last else nullcontext():
+        loss = mse_loss(model(x), y) / n
         loss.backward()
+    if last:
         optimizer.step()
         optimizer.zero_grad()
""",
    "a schedule leaves its loop's branch with its condition": """\
 schedule = torch.optim.lr_scheduler.StepLR(optimizer, 7)
 for epoch in range(9):
     for phase in ["train", "val"]:
         if phase == "train":
-            schedule.step()
             model.train()
         else:
             model.eval()
         for x, y in loader:
             optimizer.zero_grad()
             with torch.set_grad_enabled(phase == "train"):
                 loss = mse_loss(model(x), y)
             if phase == "train":
                 loss.backward()
                 optimizer.step()
+        if phase == "train":
+            schedule.step()
""",
    "an unscale moves with the clip that it is for": f"""\
 {AMP} for x, y in loader:
     optimizer.zero_grad()
     scaler.scale(mse_loss(model(x), y)).backward()
+    if clip is not None:
+        scaler.unscale_(optimizer)
+        nn.utils.clip_grad_norm_(model.parameters(), clip)
     scaler.step(optimizer)
     scaler.update()
-    if clip is not None:
-        scaler.unscale_(optimizer)
-        nn.utils.clip_grad_norm_(model.parameters(), clip)
""",
    "a clip in a closure comes after its backward": """\
 optimizer = torch.optim.LBFGS(model.parameters())
 for x, y in loader:
     def closure():
         optimizer.zero_grad()
         loss = mse_loss(model(x), y)
-        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
         loss.backward()
+        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
         return loss
     optimizer.step(closure)
""",
    "one update of the scaler at the end of an iteration": f"""\
 {AMP} critic = nn.Linear(1, 1)
 second = torch.optim.SGD(critic.parameters(), lr=0.1)
 for x, y in loader:
     second.zero_grad()
     scaler.scale(critic(y).mean()).backward()
     scaler.step(second)

     optimizer.zero_grad()
     scaler.scale(mse_loss(model(x), y)).backward()
     scaler.step(optimizer)
+    scaler.update()
""",
    "two ways to clear the same gradients move together": """\
 n = 4
 for i, (x, y) in enumerate(loader):
-    model.zero_grad()
-    optimizer.zero_grad()
     (mse_loss(model(x), y) / n).backward()
     if (i + 1) % n == 0:
         optimizer.step()
+        model.zero_grad()
+        optimizer.zero_grad()
""",
    "a window ends where batches are counted, not where precision is asked for": f"""\
 {DDP} {AMP} n = 4
 def train(use_amp):
     for i, (x, y) in enumerate(loader):
-        loss = mse_loss(model(x), y) / n
-        if use_amp:
-            scaler.scale(loss).backward()
-        else:
-            loss.backward()
+        with nullcontext() if (i + 1) % n == 0 else model.no_sync():
+            loss = mse_loss(model(x), y) / n
+            if use_amp:
+                scaler.scale(loss).backward()
+            else:
+                loss.backward()
         if (i + 1) % n == 0:
             if use_amp:
                 scaler.step(optimizer)
                 scaler.update()
             else:
                 optimizer.step()
             optimizer.zero_grad()
""",
    "a loss is divided in both branches": f"""\
 {AMP} def train(use_amp, n):
     for i, (x, y) in enumerate(loader):
         loss = mse_loss(model(x), y)
         if use_amp:
-            scaler.scale(loss).backward()
+            scaler.scale(loss / n).backward()
         else:
-            loss.backward()
+            (loss / n).backward()
         if (i + 1) % n == 0:
             if use_amp:
                 scaler.step(optimizer)
                 scaler.update()
             else:
                 optimizer.step()
             optimizer.zero_grad()
""",
    "gradients are cleared behind both branches": """\
 def train(scaler):
     for x, y in loader:
         loss = mse_loss(model(x), y)
         if scaler:
             scaler.scale(loss).backward()
             scaler.step(optimizer)
             scaler.update()
         else:
             loss.backward()
             optimizer.step()
+        optimizer.zero_grad()
""",
    "a scope that was given a name": f"""\
 {DDP} n = 4
 for i, (x, y) in enumerate(loader):
-    scope = model.no_sync() if (i + 1) % n == 0 else nullcontext()
+    scope = model.no_sync() if (i + 1) % n != 0 else nullcontext()
     with scope:
         (mse_loss(model(x), y) / n).backward()
     if (i + 1) % n == 0:
         optimizer.step()
         optimizer.zero_grad()
""",
    "a clip goes before the step of each branch": f"""\
 {AMP} def train(use_amp, max_norm):
     for x, y in loader:
         optimizer.zero_grad()
         loss = mse_loss(model(x), y)
         if use_amp:
             scaler.scale(loss).backward()
+            scaler.unscale_(optimizer)
+            nn.utils.clip_grad_norm_(model.parameters(), max_norm)
             scaler.step(optimizer)
             scaler.update()
         else:
             loss.backward()
+            nn.utils.clip_grad_norm_(model.parameters(), max_norm)
             optimizer.step()
-        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
""",
    "a count outside the branches of mixed precision": f"""\
 {AMP} def train(use_amp, n):
     for i, (x, y) in enumerate(loader):
         loss = mse_loss(model(x), y) / n
         if use_amp:
             scaler.scale(loss).backward()
         else:
             loss.backward()
-        if i % n == 0:
+        if (i + 1) % n == 0:
             if use_amp:
                 scaler.step(optimizer)
                 scaler.update()
             else:
                 optimizer.step()
             optimizer.zero_grad()
""",
    "a tail outside the branches of mixed precision": f"""\
 {AMP} def train(use_amp, n):
     for epoch in range(9):
         for i, (x, y) in enumerate(loader):
             loss = mse_loss(model(x), y) / n
             if use_amp:
                 scaler.scale(loss).backward()
             else:
                 loss.backward()
-            if (i + 1) % n == 0:
+            if (i + 1) % n == 0 or (i + 1) == len(loader):
                 if use_amp:
                     scaler.step(optimizer)
                     scaler.update()
                 else:
                     optimizer.step()
                 optimizer.zero_grad()
""",
    "a helper is handed the scaler": f"""\
-def flush(opt):
-    opt.step()
+def flush(opt, scaler):
+    scaler.step(opt)
+    scaler.update()
     opt.zero_grad()

 def train():
     {AMP}     for x, y in loader:
         scaler.scale(mse_loss(model(x), y)).backward()
-        flush(optimizer)
+        flush(optimizer, scaler)
""",
}

EPOCHS = {
    "a sampler that may be none": """\
 sampler = DistributedSampler(dataset) if distributed else None
 loader = DataLoader(dataset, sampler=sampler)
 for epoch in range(9):
+    if sampler is not None:
+        sampler.set_epoch(epoch)
     for x, y in loader:
""",
    "a sampler of another kind": """\
 if distributed:
     sampler = DistributedSampler(dataset)
 else:
     sampler = RandomSampler(dataset)
 loader = DataLoader(dataset, sampler=sampler)
 for epoch in range(9):
+    if distributed:
+        sampler.set_epoch(epoch)
     for x, y in loader:
""",
    "an epoch that is counted by hand": """\
 sampler = DistributedSampler(dataset)
 loader = DataLoader(dataset, sampler=sampler)
 epoch = 0
 while epoch < 9:
+    sampler.set_epoch(epoch)
     epoch += 1
     for x, y in loader:
""",
}
TRAIN = """\
         optimizer.zero_grad()
         mse_loss(model(x), y).backward()
         optimizer.step()
"""

TRAINER = """\
 class Trainer:
     def __init__(self, model, loader):
         self.loader = loader
         self.model = nn.parallel.DistributedDataParallel(model)
         self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

     def run_epoch(self):
         for x, y in self.loader:
             self.optimizer.zero_grad()
             mse_loss(self.model(x), y).backward()
             self.optimizer.step()

     def train(self):
         for epoch in range(9):
+            self.loader.sampler.set_epoch(epoch)
             self.run_epoch()

 def main():
     batches = DataLoader(dataset, sampler=DistributedSampler(dataset))
     Trainer(nn.Linear(4, 1), batches).train()

 main()
"""


def sides(both: str) -> tuple[str, str]:
    """The text before and after: lines that begin with `-` and `+` belong to one of them."""
    lines = [line if line.strip() else f" {line}" for line in both.splitlines(keepends=True)]
    before = "".join(line[1:] for line in lines if line[0] in " -")
    return before, "".join(line[1:] for line in lines if line[0] in " +")


def check(before: str, after: str) -> None:
    """All is mended in the way that is shown, and stays as it is."""
    result = fix_text(before, "train.py", Settings(), unsafe=True)
    assert result.text == after
    assert not result.remaining
    assert fix_text(after, "train.py", Settings(), unsafe=True).text == after


@pytest.mark.parametrize("both", CASES.values(), ids=list(CASES))
def test_loops(both: str) -> None:
    before, after = sides(both)
    check(HEAD + before, HEAD + after)


@pytest.mark.parametrize("both", EPOCHS.values(), ids=list(EPOCHS))
def test_set_epoch(both: str) -> None:
    before, after = sides(both)
    body = sides(TRAIN)[0]
    check(HEAD + before + body, HEAD + after + body)


def test_set_epoch_takes_no_name_of_another_function() -> None:
    before, after = sides(TRAINER)
    head = HEAD.replace("loader = DataLoader(dataset)\n", "")
    check(head + before, head + after)


BY_NAME = """\
 loader = DataLoader(dataset, sampler=DistributedSampler(dataset))
 for epoch in range(9):
+    loader.sampler.set_epoch(epoch)
     for name in names:
         for x, y in loader:
             optimizer.zero_grad()
             mse_loss(model(x), y).backward()
             optimizer.step()
"""


def test_set_epoch_is_told_to_the_loader_and_not_to_what_a_loop_around_it_goes_through() -> None:
    before, after = sides(BY_NAME)
    check(HEAD + before, HEAD + after)


WITHIN = """\
 class Ahead:
     def __init__(self, source):
         self.source = source

     def __iter__(self):
         for batch in self.source:
             yield batch

 feed = Ahead(DataLoader(dataset, sampler=DistributedSampler(dataset)))
 for epoch in range(9):
+    feed.source.sampler.set_epoch(epoch)
     for x, y in feed:
         optimizer.zero_grad()
         mse_loss(model(x), y).backward()
         optimizer.step()
"""


def test_set_epoch_is_told_to_the_loader_within_what_is_gone_through() -> None:
    before, after = sides(WITHIN)
    check(HEAD + before, HEAD + after)


HANDED_OVER = """\
 def fit(batches):
     for epoch in range(9):
+        batches.sampler.set_epoch(epoch)
         for name in names:
             for x, y in batches:
                 optimizer.zero_grad()
                 mse_loss(model(x), y).backward()
                 optimizer.step()

 fit(DataLoader(dataset, sampler=DistributedSampler(dataset)))
"""


def test_set_epoch_is_told_to_the_loader_that_a_loop_around_it_leaves_alone() -> None:
    before, after = sides(HANDED_OVER)
    check(HEAD + before, HEAD + after)


UNDER_A_KEY = BY_NAME.replace("loader", 'loaders["train"]')


def test_set_epoch_is_told_to_a_loader_under_a_key() -> None:
    before, after = sides(f" loaders = {{}}\n{UNDER_A_KEY}")
    check(HEAD + before, HEAD + after)


def test_set_epoch_is_not_told_to_one_of_several_loaders() -> None:
    text = (
        f"{HEAD}loaders, walks, done = {{}}, {{}}, 0\nfor name in names:\n"
        "    loaders[name] = DataLoader(dataset, sampler=DistributedSampler(dataset))\n"
        "for epoch in range(9):\n    for step in range(steps):\n        for name in names:\n"
        "            if done % len(loaders[name]) == 0:\n                walks[name] = iter(loaders[name])\n"
        "            x, y = next(walks[name])\n            done += 1\n            optimizer.zero_grad()\n"
        "            mse_loss(model(x), y).backward()\n            optimizer.step()\n"
    )
    result = fix_text(text, "train.py", Settings(), unsafe=True)
    assert [finding.rule for finding in result.remaining] == ["missing-set-epoch"]
    assert result.text == text


@pytest.mark.parametrize(
    ("asked", "opposite"),
    [
        ("(i + 1) % n == 0", "(i + 1) % n != 0"),
        ("(i + 1) == len(x) or last", "(i + 1) != len(x) and not last"),
        ("not last", "last"),
        ("self.last", "not self.last"),
        ("a is not None", "a is None"),
        ("(a or b) == c", "(a or b) != c"),
        ("i % n", "not (i % n)"),
        ("0 < i < n", "not (0 < i < n)"),
        ("a\n== b", "not (a\n== b)"),
    ],
)
def test_the_opposite_of_a_condition(asked: str, opposite: str) -> None:
    assert negated(asked) == opposite


LATE = "    optimizer.step()\n    nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n"
RIGHT = "    nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n    optimizer.step()\n"
LOOP = HEAD + "for x, y in loader:\n    optimizer.zero_grad()\n    mse_loss(model(x), y).backward()\n"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_ends_stay(newline: str) -> None:
    missing = LOOP.replace("    optimizer.zero_grad()\n", "") + "    optimizer.step()\n"
    mended = missing + "    optimizer.zero_grad()\n"
    check(missing.replace("\n", newline), mended.replace("\n", newline))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_text_without_a_last_line_end_gets_none(newline: str) -> None:
    check((LOOP + LATE).rstrip("\n").replace("\n", newline), (LOOP + RIGHT).rstrip("\n").replace("\n", newline))


def test_a_norm_that_would_be_read_too_early_is_measured_where_it_was() -> None:
    before, after = sides(CASES["a norm that had a value before the loop"])
    text, clip = HEAD + before.replace("norm, n = 0.0, 4", "n = 4"), "nn.utils.clip_grad_norm_(model.parameters(), 1.0)"
    measured = after.replace("norm, n = 0.0, 4", "n = 4").replace("norm = nn", "nn")
    first = "    norm = " + clip.replace("1.0", 'float("inf")') + "\n    if (i"
    assert fix_text(text, "train.py", Settings(), unsafe=True).text == HEAD + measured.replace("    if (i", first)
    again = text.replace(clip, clip.replace("1.0", "next(limits)"))
    result = fix_text(again, "train.py", Settings(), unsafe=True)
    assert result.text == again
    assert [finding.rule for finding in result.remaining] == ["clip-per-micro-batch"]


def test_a_repair_is_as_safe_as_what_it_takes_along() -> None:
    before, _ = sides(CASES["a mistake that another one hid is mended with it"])
    result = fix_text(HEAD + before, "train.py", Settings())
    assert [(one.rule, one.fix.safety) for one in result.applied if one.fix] == [
        ("zero-grad-in-accumulation", Safety.SAFE)
    ]


KEPT = """\
def train(model, loader, optimizer):
    total = 0.0
    for x, y in loader:
        loss = mse_loss(model(x), y)
        loss.backward()
        optimizer.step(grad_denom=len(x))
        optimizer.zero_grad()
        total += loss
    return total
"""


def test_a_logged_loss_is_detached_whatever_a_step_is_told_to_divide_by() -> None:
    result = fix_text(HEAD + KEPT, "train.py", Settings())
    assert [(one.rule, one.fix.safety) for one in result.applied if one.fix] == [("loss-graph-leak", Safety.SAFE)]
