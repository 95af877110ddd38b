"""A clip whose norm is read at each micro-batch goes on measuring there, and clips before the step."""

from __future__ import annotations

import difflib

import pytest

from gradlint.check.engine import fix_text
from gradlint.model.settings import Settings

LOOP = (
    "import torch\nfrom torch import nn\nfrom torch.nn import functional as F\n"
    """from torch.nn.utils import clip_grad_norm_


def train(net, loader, accum, log, limit=1.0):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    norms = []
    for i, (x, y) in enumerate(loader):
        (F.mse_loss(net(x), y) / accum).backward()
        norm = clip_grad_norm_(net.parameters(), limit)
        log(i, norm)
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
"""
)
MEASURES = [
    "-        norm = clip_grad_norm_(net.parameters(), limit)",
    '+        norm = clip_grad_norm_(net.parameters(), float("inf"))',
    "+            clip_grad_norm_(net.parameters(), limit)",
]
CLIP, LOG, STEP = "norm = clip_grad_norm_(net.parameters(), limit)", "log(i, norm)", "            opt.step()\n"

RIGHT: dict[str, tuple[list[tuple[str, str]], list[str]]] = {
    "read by somebody": ([], MEASURES),
    "read in a list that is asked in the loop": ([(LOG, "norms.append(norm.item())\n        log(norms)")], MEASURES),
    "read by a logger that is told more": ([(LOG, "log.add(norm)\n        log.add(x)")], MEASURES),
    "a rate that follows the norms of the window": (
        [
            (LOG, "norms.append(norm.item())"),
            (STEP, f"            opt.param_groups[0]['lr'] = 1 / norms[-1]\n{STEP}            norms = []\n"),
        ],
        MEASURES,
    ),
    "tells of what is large": ([(LOG, "if norm > 100:\n            print(norm)")], MEASURES),
    "read behind the update": (
        [("        log(i, norm)\n", ""), ("zero_grad()\n", "zero_grad()\n        log(i, norm.item())\n")],
        MEASURES,
    ),
    "read at once": (
        [(CLIP, "norms.append(float(clip_grad_norm_(net.parameters(), limit)))"), (LOG, "log(norms[-1])")],
        [
            "-        norms.append(float(clip_grad_norm_(net.parameters(), limit)))",
            '+        norms.append(float(clip_grad_norm_(net.parameters(), float("inf"))))',
            "+            clip_grad_norm_(net.parameters(), limit)",
        ],
    ),
    "with words, in several lines": (
        [
            (CLIP, "norm = clip_grad_norm_(\n            net.parameters(), max_norm=limit, norm_type=1.0,\n        )"),
        ],
        [
            "-            net.parameters(), max_norm=limit, norm_type=1.0,",
            '+            net.parameters(), max_norm=float("inf"), norm_type=1.0,',
            "+            clip_grad_norm_(net.parameters(), max_norm=limit, norm_type=1.0)",
        ],
    ),
    "by the whole name": (
        [(CLIP, CLIP.replace("clip_grad", "nn.utils.clip_grad"))],
        [one.replace("clip_grad", "nn.utils.clip_grad") for one in MEASURES],
    ),
    "an update of what is left": (
        [
            (
                "opt.zero_grad()\n",
                "opt.zero_grad()\n    if (i + 1) % accum:\n        opt.step()\n        opt.zero_grad()\n",
            )
        ],
        [*MEASURES, "+        clip_grad_norm_(net.parameters(), limit)"],
    ),
    "under an option": (
        [
            (CLIP, f"if limit:\n            {CLIP}\n            log(norm)"),
            (f"        {LOG}\n", ""),
        ],
        [
            "-            norm = clip_grad_norm_(net.parameters(), limit)",
            '+            norm = clip_grad_norm_(net.parameters(), float("inf"))',
            "+            if limit:",
            "+                clip_grad_norm_(net.parameters(), limit)",
        ],
    ),
    "clipped before the step already": (
        [(STEP, f"            clip_grad_norm_(net.parameters(), limit)\n{STEP}")],
        MEASURES[:2],
    ),
    "by a helper that does nothing else": (
        [
            (CLIP, "norm = bound(net, limit)"),
            ("def train", "def bound(net, most):\n    return clip_grad_norm_(net.parameters(), most)\n\n\ndef train"),
        ],
        [
            "-        norm = bound(net, limit)",
            '+        norm = bound(net, float("inf"))',
            "+            bound(net, limit)",
        ],
    ),
    "between the micro-batches of an inner loop": (
        [
            (LOOP[LOOP.index("    for i,") :], """    for group in loader:
        for i, (x, y) in enumerate(group):
            (F.mse_loss(net(x), y) / len(group)).backward()
            norm = clip_grad_norm_(net.parameters(), limit)
            log(i, norm)
        opt.step()
        opt.zero_grad()
"""),
        ],
        [
            "-            norm = clip_grad_norm_(net.parameters(), limit)",
            '+            norm = clip_grad_norm_(net.parameters(), float("inf"))',
            "+        clip_grad_norm_(net.parameters(), limit)",
        ],
    ),
}  # fmt: skip

LEFT: dict[str, list[tuple[str, str]]] = {
    "a norm that ends the training": [(LOG, "if norm > 100:\n            return")],
    "a norm that drops the window": [(LOG, "if norm > 8:\n            opt.zero_grad()\n            continue")],
    "a norm that is counted when large": [(LOG, "bad += 1\n        if norm > 8:\n            bad += 1")],
    "a limit that follows the norms": [
        (CLIP, f"limit = 0.5 * max(norms) if norms else 1.0\n        {CLIP}\n        norms.append(norm.item())"),
    ],
    "a limit that is told of the norms": [(LOG, "limit = 0.9 * limit + 0.1 * log(i, norm)")],
    "a limit that a guard on the norm sets": [(LOG, "if log(norm):\n            limit = 0.1")],
    "a limit that changes before the step": [(STEP, f"            limit = 0.99 * limit\n{STEP}")],
    "a limit that is drawn": [(CLIP, CLIP.replace("limit)", "log())"))],
    "a limit that is set in each turn of an inner loop": [
        (LOOP[LOOP.index("    for i,") :], """    for group in loader:
        for i, (x, y) in enumerate(group):
            (F.mse_loss(net(x), y) / len(group)).backward()
            bound = limit / (i + 1)
            norm = clip_grad_norm_(net.parameters(), bound)
            log(i, norm)
        opt.step()
        opt.zero_grad()
"""),
    ],
    "an iterator of parameters": [
        (CLIP, CLIP.replace("net.parameters()", "params")),
        ("        (F.mse", "        params = filter(lambda p: p.requires_grad, net.parameters())\n        (F.mse"),
    ],
    "somebody else's clip": [("from torch.nn.utils import clip_grad_norm_", "from tools import clip_grad_norm_")],
    "the file's own clip": [
        ("from torch.nn.utils import clip_grad_norm_\n", ""),
        (
            "def train",
            "def clip_grad_norm_(ps, n):\n    print(n)\n    return nn.utils.clip_grad_norm_(ps, n)\n\n\ndef train",
        ),
    ],
    "a helper that does more": [
        (CLIP, "norm = bound(net, limit)"),
        (
            "def train",
            "def bound(net, n):\n    print(n)\n    return clip_grad_norm_(net.parameters(), n)\n\n\ndef train",
        ),
    ],
    "gradients that are changed by hand": [
        (LOG, "log(i, norm)\n        for p in net.parameters():\n            p.grad.add_(0.01 * torch.randn_like(p))"),
    ],
    "gradients that are divided by their norm": [
        (LOG, "for p in net.parameters():\n            p.grad.div_(norm + 1e-6)"),
    ],
    "a scaler": [
        ("    norms = []\n", "    scaler = torch.amp.GradScaler()\n"),
        ("(F.mse_loss(net(x), y) / accum)", "scaler.scale(F.mse_loss(net(x), y) / accum)"),
        (CLIP, f"scaler.unscale_(opt)\n        {CLIP}"),
        (STEP, "            scaler.step(opt)\n            scaler.update()\n"),
    ],
    "an error that is caught": [
        (
            CLIP,
            f"try:\n            {CLIP}\n        except OSError:\n            norm = 0",
        ),
    ],
    "parameters that are woken for it": [
        (CLIP, f"with log.whole(net):\n            {CLIP}"),
    ],
    "a rate that follows the norms of several updates": [
        (LOG, "norms.append(norm.item())"),
        (STEP, f"            opt.param_groups[0]['lr'] = 0.1 / max(norms[-9:])\n{STEP}"),
    ],
    "an object that is asked for the step": [(LOG, "log.see(norm)"), (STEP, f"            log.apply()\n{STEP}")],
    "an object that somebody has who may ask it": [(LOG, "log.see(norm)"), ("    norms = []", "    norms = [log]")],
    "a method that may keep it": [
        (LOG, "self.see(norm)"),
        ("log, limit", "self, limit"),
        ("def train", "def see(_, n):\n    _.n = n\n\n\ndef train"),
    ],
    "the optimizer is handed to somebody with it": [(LOG, "log(opt, norm)")],
    "losses that are weighed by the norms": [
        (LOG, "norms.append(norm.item())"),
        ("(F.mse_loss(net(x), y) / accum)", "(F.mse_loss(net(x), y) / accum * sum(norms))"),
    ],
    "somebody steps on the way": [(LOG, "log(i, norm)\n        other.step()"), ("log, limit", "log, other, limit")],
}  # fmt: skip


def _spelled(changes: list[tuple[str, str]]) -> str:
    text = LOOP
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def _changed(before: str, after: str) -> list[str]:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


@pytest.mark.parametrize("name", RIGHT)
def test_it_measures_and_clips_before_the_step(name: str) -> None:
    changes, expected = RIGHT[name]
    text = _spelled(changes)
    assert _changed(text, fix_text(text, "loop.py", Settings()).text) == expected


@pytest.mark.parametrize("name", LEFT)
def test_it_is_left_where_it_would_be_another_clip(name: str) -> None:
    text = _spelled(LEFT[name])
    assert "inf" not in fix_text(text, "loop.py", Settings()).text


def test_a_norm_that_is_read_with_the_step_moves_with_its_clip() -> None:
    text = _spelled([("        log(i, norm)\n", ""), (STEP, f"            log(i, norm)\n{STEP}")])
    assert _changed(text, fix_text(text, "loop.py", Settings()).text) == [
        "-        norm = clip_grad_norm_(net.parameters(), limit)",
        "+            norm = clip_grad_norm_(net.parameters(), limit)",
    ]
