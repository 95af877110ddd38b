"""Helpers that are lent a scaler by those callers that need one: before and after in one text, as in a diff."""

from __future__ import annotations

import pytest

from fix.test_adversarial import sides
from gradlint.check.engine import fix_text
from gradlint.model.settings import Settings

HEAD = """\
import torch
from torch import nn
from torch.nn.functional import mse_loss


def sgd(net):
    return torch.optim.SGD(net.parameters(), lr=0.1)


"""
TWO = """\
     net, probe = nn.Linear(4, 1), nn.Linear(4, 1)
     opt, probe_opt = sgd(net), sgd(probe)
     scaler = torch.amp.GradScaler("cuda")
"""
PROBED = """\
         probe_opt.zero_grad()
         push(mse_loss(probe(x), y))
         probe_opt.step()
"""
STEPPED = """\
         scaler.step(opt)
         scaler.update()
"""
PUSH = """\
-def push(loss):
-    loss.backward()
+def push(loss, scaler=None):
+    if scaler is not None:
+        scaler.scale(loss).backward()
+    else:
+        loss.backward()
"""

MENDED = {
    "a backward of which one caller steps by a scaler": f"""\
{PUSH}
 def train(batches):
{TWO}     for x, y in batches:
         opt.zero_grad()
-        push(mse_loss(net(x), y))
+        push(mse_loss(net(x), y), scaler=scaler)
{STEPPED}{PROBED}""",
    "a method of an object, called by methods of another": """\
 class Meter:
-    def push(self, name, loss):
+    def push(self, name, loss, scaler=None):
-        loss.backward()
+        if scaler is not None:
+            scaler.scale(loss).backward()
+        else:
+            loss.backward()
         print(name, loss.item())

 class Run:
     def __init__(self, net, probe):
         self.net, self.probe, self.meter = net, probe, Meter()
         self.opt, self.probe_opt = sgd(net), sgd(probe)
         self.scaler = torch.amp.GradScaler("cuda")

     def apply(self):
         self.scaler.step(self.opt)
         self.scaler.update()
         self.opt.zero_grad()

     def learn(self, x, y):
-        self.meter.push("net", mse_loss(self.net(x), y))
+        self.meter.push("net", mse_loss(self.net(x), y), scaler=self.scaler)
         self.apply()

     def watch(self, x, y):
         self.probe_opt.zero_grad()
         self.meter.push("probe", mse_loss(self.probe(x), y))
         self.probe_opt.step()

 def train(batches):
     run = Run(nn.Linear(4, 1), nn.Linear(4, 1))
     for x, y in batches:
         run.learn(x, y)
         run.watch(x, y)
""",
    "through two helpers, with arguments on lines of their own": f"""\
{PUSH}
 def learn(net, x, y,
-          weight=1.0,  # how much
+          weight=1.0, scaler=None,  # how much
           ):
     loss = weight * mse_loss(net(x), y)
-    push(loss)
+    push(loss, scaler=scaler)

 def train(batches):
{TWO}     for x, y in batches:
         opt.zero_grad()
         learn(net,
               x,
-              (y),  # the target
+              (y), scaler=scaler,  # the target
               )
{STEPPED}{PROBED}""",
    "a parameter that is there, and forgotten": f"""\
 def push(loss, scaler=None):
     if scaler is not None:
         scaler.scale(loss).backward()
     else:
         loss.backward()

 def train(batches):
{TWO}     for x, y in batches:
         opt.zero_grad()
-        push(mse_loss(net(x), y))
+        push(mse_loss(net(x), y), scaler=scaler)
{STEPPED}{PROBED}""",
    "a scaler that only an option makes": f"""\
{PUSH}
 def train(batches, use_amp=True):
     net, probe = nn.Linear(4, 1), nn.Linear(4, 1)
     opt, probe_opt = sgd(net), sgd(probe)
     if use_amp:
         scaler = torch.amp.GradScaler("cuda")
     for x, y in batches:
         opt.zero_grad()
-        push(mse_loss(net(x), y))
+        push(mse_loss(net(x), y), scaler=scaler if use_amp else None)
         if use_amp:
             scaler.step(opt)
             scaler.update()
         else:
             opt.step()
{PROBED}""",
    "a name that means something else in the helper, which has keywords alone": """\
 scaler = 3.0

-def push(*, loss):
+def push(*, loss, grad_scaler=None):
-    (scaler * loss).backward()
+    if grad_scaler is not None:
+        grad_scaler.scale(scaler * loss).backward()
+    else:
+        (scaler * loss).backward()

 def train(batches):
     net, probe = nn.Linear(4, 1), nn.Linear(4, 1)
     opt, probe_opt = sgd(net), sgd(probe)
     amp = {"scaler": torch.amp.GradScaler("cuda")}
     for x, y in batches:
         opt.zero_grad()
-        push(loss=mse_loss(net(x), y))
+        push(loss=mse_loss(net(x), y), grad_scaler=amp["scaler"])
         amp["scaler"].step(opt)
         amp["scaler"].update()
         probe_opt.zero_grad()
         push(loss=mse_loss(probe(x), y))
         probe_opt.step()
""",
    "two scalers": f"""\
{PUSH}
 def train(batches):
     net, probe, third = nn.Linear(4, 1), nn.Linear(4, 1), nn.Linear(4, 1)
     opt, probe_opt, third_opt = sgd(net), sgd(probe), sgd(third)
     one, two = torch.amp.GradScaler("cuda"), torch.amp.GradScaler("cuda")
     for x, y in batches:
         opt.zero_grad()
-        push(mse_loss(net(x), y))
+        push(mse_loss(net(x), y), scaler=one)
         one.step(opt)
         one.update()
         third_opt.zero_grad()
-        push(mse_loss(third(x), y))
+        push(mse_loss(third(x), y), scaler=two)
         two.step(third_opt)
         two.update()
{PROBED}""",
    "behind unscale_ as it is": f"""\
{PUSH}
 def train(batches):
     net = nn.Linear(4, 1)
     opt = sgd(net)
     scaler = torch.amp.GradScaler("cuda")
     for x, y in batches:
         opt.zero_grad()
-        push(mse_loss(net(x), y))
+        push(mse_loss(net(x), y), scaler=scaler)
         scaler.unscale_(opt)
         push(sum(p.abs().sum() for p in net.parameters()))
{STEPPED}""",
    "a function in a function, without parameters": """\
 def train(batches):
     net = nn.Linear(4, 1)
     first, opt = sgd(net), sgd(net)
-    def shrink():
-        net.weight.abs().sum().backward()
+    def shrink(scaler=None):
+        if scaler is not None:
+            scaler.scale(net.weight.abs().sum()).backward()
+        else:
+            net.weight.abs().sum().backward()
     for x, y in batches:
         first.zero_grad()
         mse_loss(net(x), y).backward()
         shrink()
         first.step()
     scaler = torch.amp.GradScaler("cuda")
     for x, y in batches:
         opt.zero_grad()
         scaler.scale(mse_loss(net(x), y)).backward()
-        shrink()
+        shrink(scaler=scaler)
         scaler.step(opt)
         scaler.update()
""",
    "a step": f"""\
-def flush(opt):
-    opt.step()
+def flush(opt, scaler=None):
+    if scaler is not None:
+        scaler.step(opt)
+        scaler.update()
+    else:
+        opt.step()
     opt.zero_grad()

 def train(batches):
{TWO}     for n, (x, y) in enumerate(batches):
         scaler.scale(mse_loss(net(x), y) / 4).backward()
         if n % 4 == 3:
-            flush(opt)
+            flush(opt, scaler=scaler)
         mse_loss(probe(x), y).backward()
         flush(probe_opt)
""",
    "a step of two optimizers of one scaler": """\
-def flush(opt):
-    opt.step()
+def flush(opt, scaler=None):
+    if scaler is not None:
+        scaler.step(opt)
+    else:
+        opt.step()
     opt.zero_grad()

 def train(batches):
     body, head, probe = nn.Linear(4, 4), nn.Linear(4, 1), nn.Linear(4, 1)
     body_opt, head_opt, probe_opt = sgd(body), sgd(head), sgd(probe)
     scaler = torch.amp.GradScaler("cuda")
     for x, y in batches:
         scaler.scale(mse_loss(head(body(x)), y)).backward()
-        flush(body_opt)
-        flush(head_opt)
+        flush(body_opt, scaler=scaler)
+        flush(head_opt, scaler=scaler)
+        scaler.update()
         mse_loss(probe(x), y).backward()
         flush(probe_opt)
""",
    "a step that is skipped where something overflows": f"""\
-def flush(net, opt):
+def flush(net, opt, scaler=None):
+    if scaler is not None:
+        scaler.unscale_(opt)
     norm = nn.utils.get_total_norm([p.grad for p in net.parameters()])
     if torch.isfinite(norm):
-        opt.step()
+        if scaler is not None:
+            scaler.step(opt)
+        else:
+            opt.step()
+    if scaler is not None:
+        scaler.update()
     opt.zero_grad()

 def train(batches):
{TWO}     for x, y in batches:
         scaler.scale(mse_loss(net(x), y)).backward()
-        flush(net, opt)
+        flush(net, opt, scaler=scaler)
         mse_loss(probe(x), y).backward()
         flush(probe, probe_opt)
""",
    "an update that comes too early in some calls": """\
-def finish(scaler, opt):
+def finish(scaler, opt, update=True):
     scaler.step(opt)
-    scaler.update()
+    if update:
+        scaler.update()

-def end(scaler, opt):
-    finish(scaler, opt)
+def end(scaler, opt, update=True):
+    finish(scaler, opt, update=update)
     opt.zero_grad()

 def train(batches):
     body, neck, head = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 1)
     body_opt, neck_opt, head_opt = sgd(body), sgd(neck), sgd(head)
     scaler = torch.amp.GradScaler("cuda")
     for x, y in batches:
         scaler.scale(mse_loss(head(x), y)).backward()
         end(scaler, head_opt)
     for x, y in batches:
         scaler.scale(mse_loss(head(neck(body(x))), y)).backward()
-        end(scaler, body_opt)
-        end(scaler, neck_opt)
+        end(scaler, body_opt, update=False)
+        end(scaler, neck_opt, update=False)
         end(scaler, head_opt)
""",
}


@pytest.mark.parametrize("both", MENDED.values(), ids=list(MENDED))
def test_who_needs_a_scaler_hands_it_to_the_helper(both: str) -> None:
    before, after = sides(both)
    assert fix_text(HEAD + before, "train.py", Settings()).text == HEAD + after
    assert fix_text(HEAD + after, "train.py", Settings()).text == HEAD + after


PLAIN = sides(f"""\
 def train(batches):
{TWO}     for x, y in batches:
         opt.zero_grad()
         push(mse_loss(net(x), y))
{STEPPED}{PROBED}""")[0]

LEFT = {
    "a helper that is called by another name": """\
def push(loss):
    loss.backward()

"""
    + PLAIN.replace("    for x", "    back = push\n    for x").replace("push(mse_loss(net", "back(mse_loss(net"),
    "a helper that hands on all that it is given": """\
def push(loss, **more):
    loss.backward(**more)

"""
    + PLAIN,
    "a helper that a decorator may change": """\
def logged(function):
    return lambda loss: function(loss)

@logged
def push(loss):
    loss.backward()

"""
    + PLAIN,
    "a helper that is handed what nobody can see": """\
def push(loss):
    loss.backward()

"""
    + PLAIN.replace("push(mse_loss(net(x), y))", "push(*(mse_loss(net(x), y),))"),
    "a helper that is handed a generator": """\
def push(losses):
    sum(losses).backward()

"""
    + PLAIN.replace("push(mse_loss(net(x), y))", "push(mse_loss(net(x), y) for _ in range(2))").replace(
        "push(mse_loss(probe(x), y))", "push(mse_loss(probe(x), y) for _ in range(2))"
    ),
    "a method that another class has as well": """\
class Meter:
    def push(self, loss):
        loss.backward()

class Silent(Meter):
    def push(self, loss):
        loss.detach_()

"""
    + PLAIN.replace("    for x", "    meter = Meter()\n    for x").replace("  push(", "  meter.push("),
    "a helper that calls itself": """\
def push(losses):
    losses[0].backward()
    if len(losses) > 1:
        push(losses[1:])

"""
    + PLAIN.replace("push(mse_loss(net(x), y))", "push([mse_loss(net(x), y), net(x).mean()])").replace(
        "push(mse_loss(probe(x), y))", "push([mse_loss(probe(x), y)])"
    ),
    "a guard of the caller that would leave the update out": f"""\
def flush(opt):
    opt.step()
    opt.zero_grad()

def train(batches):
{sides(TWO)[0]}    for x, y in batches:
        scaler.scale(mse_loss(net(x), y)).backward()
        norm = nn.utils.get_total_norm([p.grad for p in net.parameters()])
        if torch.isfinite(norm):
            flush(opt)
        mse_loss(probe(x), y).backward()
        flush(probe_opt)
""",
}


@pytest.mark.parametrize("text", LEFT.values(), ids=list(LEFT))
def test_where_it_cannot_be_handed_in_for_sure_all_is_left(text: str) -> None:
    result = fix_text(HEAD + text, "train.py", Settings())
    assert result.remaining
    assert result.text == HEAD + text


RIGHT = {
    "a scaler that is handed in only where it is needed": "".join(sides(PUSH)[1:])
    + PLAIN.replace("push(mse_loss(net(x), y))", "push(mse_loss(net(x), y), scaler)"),
    "a scaler that may be none": """\
def push(loss, scaler=None):
    (loss if scaler is None else scaler.scale(loss)).backward()

"""
    + PLAIN.replace("push(mse_loss(net(x), y))", "push(mse_loss(net(x), y), scaler=scaler)"),
    "a step for both": f"""\
def flush(opt, scaler=None):
    if scaler is None:
        opt.step()
    else:
        scaler.step(opt)
        scaler.update()
    opt.zero_grad()

def train(batches):
{sides(TWO)[0]}    for x, y in batches:
        scaler.scale(mse_loss(net(x), y)).backward()
        flush(opt, scaler)
        mse_loss(probe(x), y).backward()
        flush(probe_opt)
""",
    "an update with the last step": """\
def finish(scaler, opt, last=True):
    scaler.step(opt)
    if last:
        scaler.update()
    opt.zero_grad()

def train(batches):
    body, head = nn.Linear(4, 4), nn.Linear(4, 1)
    body_opt, head_opt = sgd(body), sgd(head)
    scaler = torch.amp.GradScaler("cuda")
    for x, y in batches:
        scaler.scale(mse_loss(head(body(x)), y)).backward()
        finish(scaler, body_opt, last=False)
        finish(scaler, head_opt)
""",
}


@pytest.mark.parametrize("text", RIGHT.values(), ids=list(RIGHT))
def test_what_is_lent_a_scaler_as_it_should_be_is_right(text: str) -> None:
    result = fix_text(HEAD + text, "train.py", Settings(), unsafe=True)
    assert not result.remaining
    assert result.text == HEAD + text
