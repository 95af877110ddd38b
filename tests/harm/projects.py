"""The projects: what is right in one file is wrong in another, and a repair must suit all that run it."""

from __future__ import annotations

from harm.project import Fix, left, right, wrong

_MAIN = """\
# === main.py
import torch
from torch import nn

from engine import train_one_epoch

torch.set_default_dtype(torch.float64)


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.2), nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = [(torch.randn(5, 3), torch.randn(5, 1)) for _ in range(8)]
    for epoch in range(2):
        train_one_epoch(model, optimizer, loader, {arguments})
    return model


if __name__ == "__main__":
    main()
"""
_ENGINE = """\
# === engine.py
from torch.nn.functional import mse_loss


def train_one_epoch(model, optimizer, loader, accumulation_steps, loss_of=mse_loss):
    model.train()
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        loss = loss_of(model(x), y)
        loss.backward()
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
"""
_DIVIDED = ("engine.py", "loss.backward()", "(loss / accumulation_steps).backward()")


def _caller(name: str, arguments: str, more: str = "") -> str:
    text = _MAIN.replace("# === main.py", f"# === {name}.py").replace("{arguments}", arguments)
    return text.replace("\n\ndef main", f"{more}\n\ndef main", 1)


_SHARE = """

def share(out, y):
    return nn.functional.mse_loss(out, y) / 4
"""
_HELPER = """\
# === main.py
import torch
from torch import nn

from steps import finish
{imports}
torch.set_default_dtype(torch.float64)


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i in range(6):
        loss = 50 * model(torch.randn(5, 3)).pow(2).mean()
{loop}
    return model


if __name__ == "__main__":
    main()
"""


def _loop(name: str, body: str, imports: str = "") -> str:
    text = _HELPER.replace("# === main.py", f"# === {name}.py").replace("{imports}", imports)
    return text.replace("{loop}", body.rstrip("\n"))


_STEPS = """\
# === steps.py
from torch.nn.utils import clip_grad_norm_


def finish(model, optimizer):
    optimizer.step()


def limit(model, max_norm):
    return clip_grad_norm_(model.parameters(), max_norm)
"""
_CLIPPED_LATE = """\
        optimizer.zero_grad()
        loss.backward()
        finish(model, optimizer)
        norm = limit(model, 0.5)
        print(f"{norm:.4f}")
"""
_CLIPPED = """\
        optimizer.zero_grad()
        loss.backward()
        norm = limit(model, 0.5)
        finish(model, optimizer)
        print(f"{norm:.4f}")
"""
_LIMIT = "from steps import limit\n"

_NEVER_CLEARED = """\
        loss.backward()
        finish(model, optimizer)
"""
_CLEARS_ITSELF = """\
        optimizer.zero_grad()
        loss.backward()
        finish(model, optimizer)
"""
_SHOWS_GRADIENTS = """\
        optimizer.zero_grad()
        loss.backward()
        finish(model, optimizer)
        print(f"{sum(p.grad.norm() for p in model.parameters()):.4f}")
"""
_CLEARED = ("steps.py", "    optimizer.step()\n", "    optimizer.step()\n    optimizer.zero_grad()\n")

_TRAINERS = """\
# === base.py
class Trainer:
    def __init__(self, model, optimizer, window):
        self.model, self.optimizer, self.window = model, optimizer, window

    def backward(self, loss):
        (loss / self.window).backward()

    def before_update(self):
        pass

    def after_update(self):
        pass

    def fit(self, loader):
        self.model.train()
        self.optimizer.zero_grad()
        for i, (x, y) in enumerate(loader):
            self.backward((self.model(x) - y).pow(2).mean())
            if (i + 1) % self.window == 0:
                self.before_update()
                self.optimizer.step()
                self.after_update()
                self.optimizer.zero_grad()
# === recipes.py
import torch

from base import Trainer


class Plain(Trainer):
    {other}


class Careful(Trainer):
    {hook}
# === main.py
import torch
from torch import nn

from recipes import Careful, Plain

torch.set_default_dtype(torch.float64)


def main():
    torch.manual_seed(0)
    models = []
    loader = [(torch.randn(5, 3), torch.randn(5, 1)) for _ in range(8)]
    for recipe in (Plain, Careful):
        model = nn.Linear(3, 1)
        trainer = recipe(model, torch.optim.SGD(model.parameters(), lr=0.1), window=4)
        trainer.fit(loader)
        models.append(model)
    return models


if __name__ == "__main__":
    main()
"""
_TELLS = 'def after_update(self):\n        print(f"{self.model.weight.sum().item():.6f}")'
_CONTEXTS = """\
# === contexts.py
from contextlib import contextmanager


@contextmanager
def fresh(optimizer):
    optimizer.zero_grad()
    yield
# === main.py
import torch
from torch import nn

from contexts import fresh

torch.set_default_dtype(torch.float64)
WINDOW = 4


def main():
    torch.manual_seed(0)
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i in range(8):
        with fresh(optimizer):
            loss = model(torch.randn(5, 3)).pow(2).mean()
            (loss / WINDOW).backward()
        if (i + 1) % WINDOW == 0:
            optimizer.step()
    return model


if __name__ == "__main__":
    main()
"""
_STEP = "            optimizer.step()\n"
_SECOND = """\
# === second.py
import torch
from torch import nn

from contexts import fresh


def main():
    torch.manual_seed(0)
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i in range(8):
        with fresh(optimizer):
            model(torch.randn(5, 3)).pow(2).mean().backward()
        optimizer.step()
    return model


if __name__ == "__main__":
    main()
"""
_SCORES = """\
# === scores.py
def scores(model, batches):
    return [model(x) for x in batches]
# === main.py
import torch
from torch import nn

from scores import scores
{imports}
torch.set_default_dtype(torch.float64)


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.2), nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    held_out = [torch.randn(5, 3) for _ in range(3)]
    for epoch in range(3):
        model.train()
        for _ in range(4):
            optimizer.zero_grad()
            model(torch.randn(5, 3)).pow(2).mean().backward()
            optimizer.step()
        model.eval()
        found = scores(model, held_out)
        print(f"{sum(one.sum().item() for one in found):.4f}")
    return {returned}


if __name__ == "__main__":
    main()
"""
_CALIBRATED = """\
# === calibrate.py
import torch

from scores import scores


def temperature(model, held_out):
    scale = torch.ones(1, requires_grad=True)
    optimizer = torch.optim.SGD([scale], lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        sum((one * scale - 1).pow(2).mean() for one in scores(model, held_out)).backward()
        optimizer.step()
    return scale
"""
_QUIET = (
    "main.py",
    "        found = scores(model, held_out)\n",
    "        with torch.no_grad():\n            found = scores(model, held_out)\n",
)
_HOOKS = """\
# === hooks.py
from torch.nn.utils import clip_grad_norm_


class Hook:
    def after_backward(self, loop):
        pass

    def after_step(self, loop):
        pass


class Clip(Hook):
    def after_step(self, loop):
        clip_grad_norm_(loop.model.parameters(), 0.5)


class Watch(Hook):
    def after_step(self, loop):
        {watch}
# === main.py
import torch
from torch import nn

from hooks import Clip, Watch

torch.set_default_dtype(torch.float64)


class Loop:
    def __init__(self, hooks):
        self.model = nn.Linear(3, 1)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.hooks = hooks

    def run(self):
        for _ in range(6):
            self.optimizer.zero_grad()
            (50 * self.model(torch.randn(5, 3)).pow(2).mean()).backward()
            for hook in self.hooks:
                hook.after_backward(self)
            self.optimizer.step()
            for hook in self.hooks:
                hook.after_step(self)


def main():
    torch.manual_seed(0)
    loop = Loop([Clip(), Watch()])
    loop.run()
    return loop.model


if __name__ == "__main__":
    main()
"""
_AMP = """\
# === amp.py
from torch.nn.utils import clip_grad_norm_


def finish(scaler, optimizer, model, max_norm):
    clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
"""
_AMP_MAIN = """\
# === {name}.py
import torch
from torch import nn

from amp import finish


def main():
    torch.manual_seed(0)
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=64.0)
    for i in range(6):
        loss = model(torch.randn(5, 3)).pow(2).mean()
        scaler.scale(loss).backward()
{before}        finish(scaler, optimizer, model, 0.5)
    return model


if __name__ == "__main__":
    main()
"""
_UNSCALED = ("amp.py", "    clip_grad_norm_(", "    scaler.unscale_(optimizer)\n    clip_grad_norm_(")


def _amp(name: str, before: str = "") -> str:
    return _AMP_MAIN.replace("{name}", name).replace("{before}", before)


_SCHEDULED = """\
# === rates.py
def tick(scheduler):
    {tick}
# === engine.py
from rates import tick


def fit(model, optimizer, scheduler, batches):
    for epoch in range(3):
        tick(scheduler)
        for x in batches:
            optimizer.zero_grad()
            model(x).pow(2).mean().backward()
            optimizer.step()
# === main.py
import torch
from torch import nn

from engine import fit

torch.set_default_dtype(torch.float64)


def main():
    torch.manual_seed(0)
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=3)
    fit(model, optimizer, scheduler, [torch.randn(5, 3) for _ in range(4)])
    return model


if __name__ == "__main__":
    main()
"""
_TICK, _EPOCH = "        tick(scheduler)\n", _SCHEDULED.partition("        tick(scheduler)\n")[2].partition("# ===")[0]
_TICKED = ("engine.py", _TICK + _EPOCH, _EPOCH + _TICK)
_METERS = """\
# === meters.py
class Meter:
    def __init__(self):
        self.losses = []

    def add(self, loss):
        self.losses.append(loss)

    def mean(self):
        return sum(self.losses) / len(self.losses)
# === engine.py
from meters import Meter


def fit(model, optimizer, batches):
    meter = Meter()
    for x in batches:
        optimizer.zero_grad()
        loss = model(x).pow(2).mean()
        loss.backward()
        optimizer.step()
        meter.add(loss)
    print(f"{meter.mean().item():.4f}")
# === main.py
import torch
from torch import nn

from engine import fit
{imports}
torch.set_default_dtype(torch.float64)


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    fit(model, optimizer, [torch.randn(5, 3) for _ in range(9)])
{more}    return model


if __name__ == "__main__":
    main()
"""
_ALL_TOGETHER = """\
# === together.py
from meters import Meter


def descend(model, optimizer, batches):
    meter = Meter()
    for x in batches:
        meter.add(model(x).pow(2).mean())
    optimizer.zero_grad()
    meter.mean().backward()
    optimizer.step()
"""
_RANKS = """\
# === engine.py
def fit(model, optimizer, batches, window):
    optimizer.zero_grad()
    for i, x in enumerate(batches):
        loss = model(x).pow(2).mean() / window
        loss.backward()
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()
# === main.py
import os

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from engine import fit

torch.set_default_dtype(torch.float64)


def main():
    torch.distributed.init_process_group("gloo")
    torch.manual_seed(0)
    model = DistributedDataParallel(nn.Linear(3, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    torch.manual_seed(int(os.environ["RANK"]))
    fit(model, optimizer, [torch.randn(5, 3) for _ in range(8)], window=4)
    return model


if __name__ == "__main__":
    main()
"""
_ALONE = """\
# === alone.py
import torch
from torch import nn

from engine import fit


def main():
    torch.manual_seed(0)
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    fit(model, optimizer, [torch.randn(5, 3) for _ in range(8)], window=4)
    return model


if __name__ == "__main__":
    main()
"""
_MICRO_BATCH = """\
        loss = model(x).pow(2).mean() / window
        loss.backward()
"""
_IMPORTED = ("engine.py", "def fit(", "from contextlib import nullcontext\n\n\ndef fit(")


def _waits(test: str) -> tuple[Fix, Fix]:
    scope = f"        with nullcontext() if {test} else model.no_sync():\n"
    return _IMPORTED, ("engine.py", _MICRO_BATCH, scope + _MICRO_BATCH.replace("        ", "            "))


_SILENT = _waits("(i + 1) % window == 0")
_ASKED = _waits('(i + 1) % window == 0 or not hasattr(model, "no_sync")')
_CIRCLE = """\
# === state.py
class State:
    def __init__(self, model, optimizer, window):
        self.model, self.optimizer, self.window = model, optimizer, window
        self.seen = 0

    def run(self, batches):
        from loop import turn

        for x in batches:
            turn(self, x)
# === loop.py
from torch.nn.utils import clip_grad_norm_

from state import State


def turn(state: State, x):
    loss = 50 * state.model(x).pow(2).mean()
    (loss / state.window).backward()
    state.seen += 1
    if state.seen % state.window == 0:
        state.optimizer.step()
        clip_grad_norm_(state.model.parameters(), 0.5)
        state.optimizer.zero_grad()
# === main.py
import torch
from torch import nn

from state import State

torch.set_default_dtype(torch.float64)


def main():
    torch.manual_seed(0)
    model = nn.Linear(3, 1)
    state = State(model, torch.optim.SGD(model.parameters(), lr=0.1), 2)
    state.run([torch.randn(5, 3) for _ in range(8)])
    return model


if __name__ == "__main__":
    main()
"""
_MODES = """\
# === engine.py
def train_epoch(model, optimizer, batches):
    total = 0.0
    for x in batches:
        optimizer.zero_grad()
        loss = model(x).pow(2).mean()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total


def evaluate(model, batches):
    model.eval()
    return sum(model(x).sum().item() for x in batches)
# === main.py
import torch
from torch import nn

from engine import evaluate, train_epoch

torch.set_default_dtype(torch.float64)


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.5), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    batches = [torch.randn(5, 3) for _ in range(4)]
    for epoch in range(3):
        train_epoch(model, optimizer, batches)
        with torch.no_grad():
            print(f"{evaluate(model, batches):.4f}")
    return model


if __name__ == "__main__":
    main()
"""
_PROBE = """\
# === probe.py
import torch
from torch import nn

from engine import train_epoch


def main():
    torch.manual_seed(0)
    trunk = nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.5))
    trunk.eval()
    model = nn.Sequential(trunk, nn.Linear(8, 1))
    model.eval()
    optimizer = torch.optim.SGD(model[1].parameters(), lr=0.1)
    for epoch in range(3):
        train_epoch(model, optimizer, [torch.randn(5, 3) for _ in range(4)])
    return model


if __name__ == "__main__":
    main()
"""
_LOOP_OF_MAIN = ("main.py", "        train_epoch(", "        model.train()\n        train_epoch(")

PROJECTS = (
    wrong("a loss that is never divided", _ENGINE + _caller("main", "accumulation_steps=4"), _DIVIDED),
    right("a loss that the caller divides", _ENGINE + _caller("main", "accumulation_steps=4, loss_of=share", _SHARE)),
    wrong(
        "two callers, one of which has a window of one",
        _ENGINE + _caller("main", "accumulation_steps=4") + _caller("tune", "accumulation_steps=1"),
        _DIVIDED,
    ).at("main", "tune"),
    left(
        "two callers, one of which divides itself",
        _ENGINE
        + _caller("main", "accumulation_steps=4")
        + _caller("tune", "accumulation_steps=4, loss_of=share", _SHARE),
    ).at("main", "tune"),
    wrong(
        "a clip behind a helper that steps",
        _STEPS + _loop("main", _CLIPPED_LATE, _LIMIT),
        ("main.py", _CLIPPED_LATE, _CLIPPED),
    ),
    wrong(
        "a helper of two loops, one of which clips too late",
        _STEPS + _loop("main", _CLIPPED_LATE, _LIMIT) + _loop("other", _CLIPPED, _LIMIT),
        ("main.py", _CLIPPED_LATE, _CLIPPED),
    ).at("main", "other"),
    left(
        "a helper that notes what it clips",
        _STEPS.replace("    return clip", "    print(next(model.parameters()).sum().item())\n    return clip")
        + _loop("main", _CLIPPED_LATE, _LIMIT),
    ),
    wrong("a helper that never clears", _STEPS + _loop("main", _NEVER_CLEARED), _CLEARED),
    left(
        "a helper that never clears, and a loop that clears itself",
        _STEPS + _loop("main", _NEVER_CLEARED) + _loop("other", _CLEARS_ITSELF),
        _CLEARED,
    ).at("main", "other"),
    left(
        "a helper that never clears, and a loop that shows its gradients",
        _STEPS + _loop("main", _NEVER_CLEARED) + _loop("other", _SHOWS_GRADIENTS),
        ("main.py", "        loss.backward()\n", "        optimizer.zero_grad()\n        loss.backward()\n"),
    ).at("main", "other"),
    wrong(
        "a subclass that forgets to divide",
        _TRAINERS.replace("{other}", "pass").replace(
            "{hook}", "def backward(self, loss):\n        self.last = loss.item()\n        loss.backward()"
        ),
        ("recipes.py", "        loss.backward()", "        (loss / self.window).backward()"),
    ),
    right(
        "a subclass that divides otherwise",
        _TRAINERS.replace("{other}", "pass").replace(
            "{hook}", "def backward(self, loss):\n        loss.mul(1 / self.window).backward()"
        ),
    ),
    wrong(
        "a subclass that clips behind the update",
        _TRAINERS.replace("{other}", "pass").replace(
            "{hook}", "def after_update(self):\n        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 0.01)"
        ),
        ("recipes.py", "def after_update(", "def before_update("),
    ),
    left(
        "a subclass that clips behind the update, and one that tells then",
        _TRAINERS.replace("{other}", _TELLS).replace(
            "{hook}", "def after_update(self):\n        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 0.01)"
        ),
        ("recipes.py", "def after_update(self):\n        torch", "def before_update(self):\n        torch"),
    ),
    wrong(
        "a context that clears each micro-batch",
        _CONTEXTS,
        ("contexts.py", "    optimizer.zero_grad()\n", ""),
        ("main.py", _STEP, _STEP + "            optimizer.zero_grad()\n"),
    ),
    left(
        "a context that clears each micro-batch, and a loop that needs it",
        _CONTEXTS + _SECOND,
        ("main.py", "        with fresh(optimizer):\n", "        if True:\n"),
        ("main.py", _STEP, _STEP + "            optimizer.zero_grad()\n"),
    ).at("main", "second"),
    wrong(
        "an evaluation elsewhere that keeps graphs",
        _SCORES.replace("{imports}", "").replace("{returned}", "model"),
        _QUIET,
    ),
    left(
        "an evaluation elsewhere that a fit needs, too",
        (_SCORES + _CALIBRATED)
        .replace("{imports}", "from calibrate import temperature\n")
        .replace("{returned}", "nn.ParameterList([temperature(model, held_out)]), model"),
        _QUIET,
    ),
    wrong(
        "a hook that clips behind the step",
        _HOOKS.replace("{watch}", "pass"),
        ("hooks.py", "class Clip(Hook):\n    def after_step(", "class Clip(Hook):\n    def after_backward("),
    ),
    left(
        "a hook that clips behind the step, beside one that watches the weights",
        _HOOKS.replace("{watch}", 'print(f"{loop.model.weight.sum().item():.6f}")'),
        ("hooks.py", "class Clip(Hook):\n    def after_step(", "class Clip(Hook):\n    def after_backward("),
    ),
    wrong("a helper that clips scaled gradients", _AMP + _amp("main"), _UNSCALED),
    left(
        "a helper that clips scaled gradients, and a caller that unscales",
        _AMP + _amp("main") + _amp("other", "        scaler.unscale_(optimizer)\n"),
        ("main.py", "        finish(", "        scaler.unscale_(optimizer)\n        finish("),
    ).at("main", "other"),
    wrong("a schedule that a helper moves too early", _SCHEDULED.replace("{tick}", "scheduler.step()"), _TICKED),
    left(
        "a schedule that a helper moves too early, and tells",
        _SCHEDULED.replace("{tick}", 'scheduler.step()\n    print(f"{scheduler.get_last_lr()[0]:.4f}")'),
    ),
    wrong(
        "losses that are kept with their graphs",
        _METERS.replace("{imports}", "").replace("{more}", ""),
        ("engine.py", "meter.add(loss)", "meter.add(loss.detach())"),
    ),
    left(
        "losses that are kept with their graphs, which another loop needs",
        (_METERS + _ALL_TOGETHER)
        .replace("{imports}", "from together import descend\n")
        .replace("{more}", "    descend(model, optimizer, [torch.randn(5, 3) for _ in range(3)])\n"),
        ("engine.py", "meter.add(loss)", "meter.add(loss.detach())"),
    ),
    wrong("a DDP whose windows synchronise each time", _RANKS, *_SILENT).at(ranks=2),
    wrong("a DDP whose windows synchronise each time, and a caller without one", _RANKS + _ALONE, *_ASKED).at(
        "main", "alone", ranks=2
    ),
    wrong(
        "files that import each other",
        _CIRCLE,
        (
            "loop.py",
            "        state.optimizer.step()\n        clip_grad_norm_(state.model.parameters(), 0.5)\n",
            "        clip_grad_norm_(state.model.parameters(), 0.5)\n        state.optimizer.step()\n",
        ),
    ),
    wrong("an evaluation elsewhere that leaves the mode", _MODES, _LOOP_OF_MAIN),
    wrong(
        "an evaluation elsewhere that leaves the mode, and a probe that trains in it", _MODES + _PROBE, _LOOP_OF_MAIN
    ).at("main", "probe"),
)
