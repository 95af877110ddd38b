"""Guards that ask gradients whether to step: unscaled first, the scaler updated on both ways; as in a diff."""

from __future__ import annotations

import pytest

from fix.test_adversarial import sides
from gradlint.check.engine import fix_text
from gradlint.model.settings import Settings

HEAD = """\
import torch
from torch import nn
from torch.nn.functional import mse_loss


def peak(net):
    return max(p.grad.abs().max() for p in net.parameters())


"""
LOOP = """\
 def train(batches):
     net = nn.Linear(4, 1)
     opt = torch.optim.SGD(net.parameters(), lr=0.1)
     scaler = torch.amp.GradScaler("cuda")
     for x, y in batches:
         opt.zero_grad()
         loss = mse_loss(net(x), y)
         scaler.scale(loss).backward()
"""
ASKED = """\
         if not torch.isfinite(loss):
             continue
         scaler.scale(loss).backward()"""
MENDED = {
    "a plain step": f"""\
{LOOP}\
+        scaler.unscale_(opt)
         norm = nn.utils.get_total_norm([p.grad for p in net.parameters()])
         if torch.isfinite(norm):
-            opt.step()
+            scaler.step(opt)
+        scaler.update()
""",
    "a plain step under a limit": f"""\
{LOOP}\
+        scaler.unscale_(opt)
         norm = nn.utils.get_total_norm([p.grad for p in net.parameters()])
         if norm < 10:
-            opt.step()
+            scaler.step(opt)
+        scaler.update()
""",
    "a plain step behind a way on": f"""\
{LOOP}\
+        scaler.unscale_(opt)
         norm = sum(p.grad.norm() for p in net.parameters())
         if not torch.isfinite(norm):
             print("skipped")
+            scaler.update()
             continue
-        opt.step()
+        scaler.step(opt)
+        scaler.update()
""",
    "a plain step where the loss is asked": f"""\
{LOOP}\
         if torch.isfinite(loss):
-            opt.step()
+            scaler.step(opt)
+            scaler.update()
""",
    "a step without an update": f"""\
{LOOP}\
+        scaler.unscale_(opt)
         norm = nn.utils.get_total_norm([p.grad for p in net.parameters()])
         if torch.isfinite(norm):
             scaler.step(opt)
+        scaler.update()
""",
    "an update that is left out with the step": f"""\
{LOOP}\
+        scaler.unscale_(opt)
         if torch.isfinite(peak(net)):
             scaler.step(opt)
-            scaler.update()
         else:
             print("skipped")
+        scaler.update()
""",
}


@pytest.mark.parametrize("both", MENDED.values(), ids=list(MENDED))
def test_an_overflow_lowers_the_scale(both: str) -> None:
    before, after = sides(both)
    assert fix_text(HEAD + before, "train.py", Settings()).text == HEAD + after
    result = fix_text(HEAD + after, "train.py", Settings(), unsafe=True)
    assert result.text == HEAD + after


LEFT = {
    "what is asked by its scale": f"""\
{LOOP}\
         norm = nn.utils.get_total_norm([p.grad for p in net.parameters()]) / scaler.get_scale()
         if norm < 10:
             opt.step()
""",
    "a scale in the question": f"""\
{LOOP}\
         norm = nn.utils.get_total_norm([p.grad for p in net.parameters()])
         if norm < 10 * scaler.get_scale():
             opt.step()
""",
    "a limit that is made of the scale": f"""\
 LIMIT = 10.0 * SCALE
{LOOP}\
         norm = nn.utils.get_total_norm([p.grad for p in net.parameters()])
         if norm < LIMIT:
             opt.step()
""",
    "gradients that are unscaled": f"""\
{LOOP}\
         scaler.unscale_(opt)
         if torch.isfinite(peak(net)):
             scaler.step(opt)
         scaler.update()
""",
    "a loss that is asked before it is scaled": f"""\
{LOOP.replace("         scaler.scale(loss).backward()", ASKED)}\
         scaler.step(opt)
         scaler.update()
""",
}


@pytest.mark.parametrize("text", LEFT.values(), ids=list(LEFT))
def test_what_is_right_or_unclear_is_left(text: str) -> None:
    before, _ = sides(text)
    assert fix_text(HEAD + before, "train.py", Settings()).text == HEAD + before
