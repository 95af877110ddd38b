"""A cache of gradients, a coroutine that trains, closures in two phases, a session under a scale, and hooks."""

from __future__ import annotations

from collections.abc import Iterator

from harm.case import Case
from harm.drafts import Draft

PSALTERY = Draft(
    "psaltery-cache",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
CHUNK = 3


class Tower(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, width), nn.Tanh(), nn.Linear(width, 3))

    def forward(self, x):
        return nn.functional.normalize(self.body(x), dim=1)


def contrast(a, b):
    return nn.functional.cross_entropy(a @ b.T / 0.3, torch.arange(len(a)))


def whole(tower, x):
    with torch.no_grad():
        return torch.cat([tower(part) for part in x.split(CHUNK)])


def cached_step(towers, views):
    leaves = [whole(tower, view).requires_grad_() for tower, view in zip(towers, views)]
    loss = contrast(*leaves)
    loss.backward()
    for tower, view, leaf in zip(towers, views, leaves):
        for part, grad in zip(view.split(CHUNK), leaf.grad.split(CHUNK)):
            tower(part).backward(grad)
    return loss.item()


def main():
    torch.manual_seed(23)
    towers = nn.ModuleList([Tower(6), Tower(5)])
    opts = [torch.optim.SGD(tower.parameters(), lr=0.5, momentum=0.6) for tower in towers]
    held = torch.randn(6, 4)
    for turn in range(6):
        x = torch.randn(9, 4)
        value = cached_step(towers, (x, x.roll(1, 1) + 0.1 * torch.randn(9, 4)))
        for tower, opt in zip(towers, opts):
            nn.utils.clip_grad_norm_(tower.parameters(), 0.1)
            opt.step()
            opt.zero_grad()
        towers.eval()
        with torch.no_grad():
            known = contrast(towers[0](held), towers[1](held.roll(1, 1)))
        towers.train()
        print(f"{turn}: {value:.4f} {known.item():.4f}")
    return towers
""",
    ("unscaled-accumulation-loss", "missing-zero-grad"),
)
P_BACK = "            tower(part).backward(grad)\n"
P_CLIP = "            nn.utils.clip_grad_norm_(tower.parameters(), 0.1)\n"
P_STEP = "            opt.step()\n"
P_CLEAR = "            opt.zero_grad()\n"
P_KNOWN = "            known = contrast(towers[0](held), towers[1](held.roll(1, 1)))\n"


def psaltery() -> Iterator[Case]:
    yield PSALTERY.right("as-it-is")
    yield PSALTERY.wrong(
        "pieces-wipe-each-other",
        ((P_BACK, "            tower.zero_grad()\n" + P_BACK), (P_STEP + P_CLEAR, P_STEP)),
        tempts=("zero-grad-in-accumulation",),
    )
    yield PSALTERY.wrong(
        "pieces-are-limited",
        ((P_BACK, P_BACK + P_CLIP), (P_CLIP + P_STEP, P_STEP)),
        tempts=("clip-per-micro-batch",),
    )
    yield PSALTERY.wrong(
        "known-pairs-with-a-graph-and-no-clear",
        (("        with torch.no_grad():\n" + P_KNOWN, P_KNOWN[4:]),),
        ((P_STEP + P_CLEAR, P_STEP),),
        tempts=("validation-without-no-grad", "missing-zero-grad"),
    )
    yield PSALTERY.wrong("limit-behind-each-step", ((P_CLIP + P_STEP, P_STEP + P_CLIP),), tempts=("clip-after-step",))
    yield PSALTERY.right(
        "cleared-ahead-of-the-pieces",
        ("leaves):\n", "leaves):\n        tower.zero_grad()\n"),
        (P_STEP + P_CLEAR, P_STEP),
        tempts=("zero-grad-in-accumulation",),
    )
    yield PSALTERY.right(
        "second-tower-leans-on-the-past",
        (P_CLEAR, "            if tower is towers[0]:\n                opt.zero_grad()\n"),
        tempts=("missing-zero-grad",),
    )


ZITHER = Draft(
    "zither-coroutine",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def rows(epoch, count=7):
    rng = torch.Generator().manual_seed(50 + epoch)
    for _ in range(count):
        x = torch.randn(5, 2, generator=rng)
        yield x, x.prod(1, keepdim=True) + x[:, :1]


def fitter(net, opt, window, limit):
    held, norm = 0, None
    while True:
        loss = yield norm
        norm = None
        if loss is not None:
            (loss / window).backward()
            held += 1
        if held == window or (loss is None and held):
            norm = nn.utils.clip_grad_norm_(net.parameters(), limit).item()
            opt.step()
            opt.zero_grad()
            held = 0


def main():
    torch.manual_seed(7)
    net = nn.Sequential(nn.Linear(2, 6), nn.SiLU(), nn.Linear(6, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.7)
    sched = torch.optim.lr_scheduler.StepLR(opt, 2, gamma=0.6)
    norms = []
    fit = fitter(net, opt, 3, 0.4)
    next(fit)
    for epoch in range(3):
        for x, y in rows(epoch):
            norm = fit.send(nn.functional.mse_loss(net(x), y))
            if norm is not None:
                norms.append(norm)
                sched.step()
        norm = fit.send(None)
    print(len(norms), f"{sum(norms):.5f}")
    return net
""",
    ("dropped-accumulation-tail", "accumulation-off-by-one"),
)
Z_BACK = "            (loss / window).backward()\n"
Z_CLIP = "            norm = nn.utils.clip_grad_norm_(net.parameters(), limit).item()\n"
Z_STEP = "            opt.step()\n"
Z_CLEAR = "            opt.zero_grad()\n"
Z_MADE = "    fit = fitter(net, opt, 3, 0.4)\n    next(fit)\n    for epoch in range(3):\n"
Z_LAST = "        norm = fit.send(None)\n"
Z_EACH = "    for epoch in range(3):\n        fit = fitter(net, opt, 3, 0.4)\n        next(fit)\n"


def zither() -> Iterator[Case]:
    yield ZITHER.right("as-it-is")
    yield ZITHER.wrong("sum-of-what-is-sent", ((Z_BACK, "            loss.backward()\n"),))
    yield ZITHER.wrong(
        "wiped-when-sent", ((Z_CLEAR, ""), (Z_BACK, Z_CLEAR + Z_BACK)), tempts=("zero-grad-in-accumulation",)
    )
    yield ZITHER.wrong("norm-of-what-was-spent", ((Z_CLIP + Z_STEP, Z_STEP + Z_CLIP),), tempts=("clip-after-step",))
    yield ZITHER.wrong(
        "one-more-than-the-window",
        (("if held == window or (loss is None and held)", "if held > window or (loss is None and held)"),),
        tempts=("accumulation-off-by-one",),
    )
    yield ZITHER.wrong(
        "new-in-each-epoch-without-the-rest", ((Z_MADE, Z_EACH), (Z_LAST, "")), tempts=("dropped-accumulation-tail",)
    )
    yield ZITHER.right("new-in-each-epoch", (Z_MADE, Z_EACH))
    yield ZITHER.right("windows-reach-over-epochs", (Z_LAST, ""))
    yield ZITHER.right(
        "rest-is-thrown-away",
        (Z_LAST, "        if fit.send(None) is None:\n            opt.zero_grad()\n"),
        (
            "if held == window or (loss is None and held):",
            "if loss is None:\n            held = 0\n        elif held == window:",
        ),
    )


LUTE = Draft(
    "lute-in-two-phases",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def data():
    x = torch.linspace(-2, 2, 16)[:, None]
    return x, torch.sin(2 * x) * x.exp() / 3


def main(parts=4):
    torch.manual_seed(12)
    net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
    weights = list(net.parameters())
    x, y = data()

    coarse = torch.optim.Adam(weights, lr=0.05)
    for step in range(8):
        coarse.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        coarse.step()

    fine = torch.optim.LBFGS(weights, lr=0.5, max_iter=3, history_size=4)

    def closure():
        fine.zero_grad()
        total = 0.0
        for a, b in zip(x.chunk(parts), y.chunk(parts)):
            loss = nn.functional.mse_loss(net(a), b) / parts
            loss.backward()
            total += loss.item()
        nn.utils.clip_grad_norm_(weights, 0.3)
        return total

    for turn in range(4):
        before = fine.step(closure)
        print(f"{turn}: {before:.5f}")
    return net
""",
    ("missing-zero-grad", "clip-before-backward"),
)
L_CLIP = "        nn.utils.clip_grad_norm_(weights, 0.3)\n"
L_CLEAR = "        fine.zero_grad()\n"
L_CALL = "        before = fine.step(closure)\n"
L_TOTAL = "        total = 0.0\n"
L_COARSE = "        nn.functional.mse_loss(net(x), y).backward()\n        coarse.step()\n"


def lute() -> Iterator[Case]:
    yield LUTE.right("as-it-is")
    yield LUTE.wrong(
        "cleared-outside-of-the-closure",
        ((L_CLEAR, ""), (L_CALL, L_CLEAR + L_CALL)),
        tempts=("missing-zero-grad",),
    )
    yield LUTE.wrong("limit-behind-the-call", ((L_CLIP, ""), (L_CALL, L_CALL + L_CLIP)), tempts=("clip-after-step",))
    yield LUTE.wrong(
        "limit-at-the-head-of-the-closure",
        ((L_CLIP, ""), (L_TOTAL, L_CLIP + L_TOTAL)),
        tempts=("clip-before-backward",),
    )
    yield LUTE.wrong(
        "coarse-is-wiped-and-parts-add-up",
        ((L_COARSE, L_COARSE.replace("        coarse.step", "        coarse.zero_grad()\n        coarse.step")),),
        (
            ("loss = nn.functional.mse_loss(net(a), b) / parts", "loss = nn.functional.mse_loss(net(a), b)"),
            ("total += loss.item()", "total += loss.item() / parts"),
        ),
        tempts=("zero-grad-before-step", "unscaled-accumulation-loss"),
    )
    yield LUTE.wrong(
        "parts-wipe-each-other",
        (
            (L_CLEAR, ""),
            ("            loss.backward()\n", "            fine.zero_grad()\n            loss.backward()\n"),
        ),
        tempts=("zero-grad-in-accumulation",),
    )
    yield LUTE.right(
        "one-look-for-each-call",
        ("max_iter=3", "max_iter=1"),
        (L_CLEAR, ""),
        (L_CALL, L_CLEAR + L_CALL),
        tempts=("missing-zero-grad",),
    )
    yield LUTE.right(
        "coarse-gathers-speed-in-its-gradients",
        ("        coarse.zero_grad()\n", "        net.zero_grad() if step < 4 else None\n"),
    )


VIOL = Draft(
    "viol-session",
    """\
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Options:
    lr: float = 0.05
    scale: float = 1024.0
    every: int = 2
    limit: float = 0.2
    spoilt: tuple = (5,)


class Session:
    def __init__(self, options):
        torch.manual_seed(33)
        self.options = options
        self.net = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=options.lr, momentum=0.5)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=options.scale, growth_interval=2)
        self.shadow = [p.detach().clone() for p in self.net.parameters()]

    def micro(self, number):
        x = torch.randn(4, 3)
        y = x.sum(1, keepdim=True) * (1e39 if number in self.options.spoilt else 1.0)
        loss = nn.functional.mse_loss(self.net(x), y)
        self.scaler.scale(loss / self.options.every).backward()

    def close(self):
        self.scaler.unscale_(self.opt)
        norm = nn.utils.clip_grad_norm_(self.net.parameters(), self.options.limit)
        self.scaler.step(self.opt)
        self.scaler.update()
        self.opt.zero_grad()
        if norm.isfinite():
            for slow, fast in zip(self.shadow, self.net.parameters()):
                slow.lerp_(fast.detach(), 0.3)
        return norm.item()

    def run(self, count=12):
        for number in range(1, count + 1):
            self.micro(number)
            if number % self.options.every == 0:
                print(f"{number}: {self.close():.4f}")
        print(f"{sum(s.abs().sum().item() for s in self.shadow):.4f}")
        return self.net


def main():
    return Session(Options()).run()
""",
    ("clip-scaled-gradients", "missing-scaler-update"),
)
V_SCALED = "        self.scaler.scale(loss / self.options.every).backward()\n"
V_UNSCALE = "        self.scaler.unscale_(self.opt)\n"
V_STEP = "        self.scaler.step(self.opt)\n"
V_UPDATE = "        self.scaler.update()\n"
V_CLIP = "        norm = nn.utils.clip_grad_norm_(self.net.parameters(), self.options.limit)\n"
V_IF = "        if norm.isfinite():\n"


def viol() -> Iterator[Case]:
    yield VIOL.right("as-it-is")
    yield VIOL.wrong("limit-under-the-scale", ((V_UNSCALE, ""),), tempts=("clip-scaled-gradients",))
    yield VIOL.wrong(
        "scale-is-never-updated", ((V_UPDATE, ""),), tempts=("missing-scaler-update",), raises="RuntimeError"
    )
    yield VIOL.wrong(
        "updated-when-all-is-well",
        (
            (V_STEP + V_UPDATE, ""),
            (V_IF, V_IF + "    " + V_STEP + "    " + V_UPDATE),
            ("        self.opt.zero_grad()\n", ""),
            ("        return norm.item()", "        self.opt.zero_grad()\n        return norm.item()"),
        ),
        tempts=("missing-scaler-update",),
        raises="RuntimeError",
    )
    yield VIOL.wrong(
        "unscaled-in-each-piece",
        ((V_UNSCALE, ""), (V_SCALED, V_SCALED + V_UNSCALE)),
        tempts=("double-unscale",),
        raises="RuntimeError",
    )
    yield VIOL.wrong("plain-step", ((V_STEP, "        self.opt.step()\n"),), tempts=("step-bypasses-scaler",))
    yield VIOL.wrong(
        "plain-backward",
        ((V_SCALED, "        (loss / self.options.every).backward()\n"),),
        tempts=("unscaled-backward",),
        raises="AssertionError",
    )
    yield VIOL.right(
        "limit-is-scaled-too",
        (V_UNSCALE, ""),
        (V_CLIP, V_CLIP.replace("options.limit", "options.limit * self.scaler.get_scale()")),
        tempts=("clip-scaled-gradients",),
    )
    yield VIOL.right(
        "spoilt-pieces-are-left-out",
        ("        self.scaler.scale(", "        if not loss < 1e9:\n            return\n        self.scaler.scale("),
    )


KITHARA = Draft(
    "kithara-hooks",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Listener:
    def __init__(self, net):
        self.heard = []
        self.handles = [m.register_forward_hook(self.hear) for m in net if isinstance(m, nn.Linear)]

    def hear(self, module, inputs, output):
        if module.training:
            self.heard.append(output)

    def penalty(self):
        value = sum(output.abs().mean() for output in self.heard)
        self.heard.clear()
        return value


def main(window=3, count=8):
    torch.manual_seed(19)
    net = nn.Sequential(nn.Linear(3, 7), nn.ReLU(), nn.Dropout(0.2), nn.Linear(7, 1))
    listener, notes = Listener(net), []
    for weight in net.parameters():
        weight.register_hook(lambda grad: grad / window)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    held = torch.randn(6, 3)
    for epoch in range(2):
        for i in range(1, count + 1):
            x = torch.randn(4, 3)
            fit = nn.functional.mse_loss(net(x), x.prod(1, keepdim=True))
            extra = listener.penalty()
            (fit + 0.1 * extra).backward()
            notes.append(extra.item())
            if i % window == 0 or i == count:
                opt.step()
                opt.zero_grad()
        net.eval()
        with torch.no_grad():
            print(f"{epoch}: {net(held).mean().item():.4f}")
        net.train()
    print(f"{sum(notes):.4f}")
    return net
""",
    ("unscaled-accumulation-loss", "accumulation-divisor-mismatch"),
)
K_CLEAR = "                opt.zero_grad()\n"
K_STEP = "                opt.step()\n"
K_TEST = '        with torch.no_grad():\n            print(f"{epoch}: {net(held).mean().item():.4f}")\n'


def kithara() -> Iterator[Case]:
    yield KITHARA.right("as-it-is")
    yield KITHARA.wrong(
        "divided-by-loss-and-hook",
        (("(fit + 0.1 * extra).backward()", "((fit + 0.1 * extra) / window).backward()"),),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield KITHARA.wrong(
        "rest-waits-for-the-next-epoch", ((" or i == count:", ":"),), tempts=("dropped-accumulation-tail",)
    )
    yield KITHARA.wrong(
        "listens-no-more-and-keeps-notes",
        (("        net.eval()\n", "        listener.heard.clear()\n        net.eval\n"),),
        (("notes.append(extra.item())", "notes.append(extra)"),),
        tempts=("method-not-called", "loss-graph-leak"),
    )
    yield KITHARA.wrong(
        "tested-with-a-graph", ((K_TEST, K_TEST.split("\n", 1)[1][4:]),), tempts=("validation-without-no-grad",)
    )
    yield KITHARA.wrong("never-cleared", ((K_STEP + K_CLEAR, K_STEP),), tempts=("missing-zero-grad",))
    yield KITHARA.right(
        "hooks-clamp-and-divide", ("lambda grad: grad / window", "lambda grad: grad.clamp(-0.5, 0.5) / window")
    )
    yield KITHARA.right(
        "gathered-gradients-are-limited-by-a-hook",
        ("weight.register_hook(lambda grad: grad / window)", "weight.register_post_accumulate_grad_hook(bound)"),
        ("def main(", "def bound(weight):\n    weight.grad.clamp_(-0.5, 0.5)\n\n\ndef main("),
        ("lr=0.1)", "lr=0.03)"),
    )
    yield KITHARA.right(
        "rest-of-an-epoch-is-dropped",
        (" or i == count:", ":"),
        ("        net.eval()\n", "        opt.zero_grad()\n        net.eval()\n"),
    )


def cases() -> Iterator[Case]:
    yield from psaltery()
    yield from zither()
    yield from lute()
    yield from viol()
    yield from kithara()
