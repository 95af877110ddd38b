"""A loop whose network another file wraps: behind a guard, a repair asks the network whether it can wait."""

from __future__ import annotations

from pathlib import Path

import pytest

from gradlint.check.engine import fix_text
from gradlint.check.surroundings import within
from gradlint.model.settings import Settings
from gradlint.project.project import Project

ENGINE = """\
def fit(model, optimizer, batches, window):
    optimizer.zero_grad()
    for i, x in enumerate(batches):
        loss = model(x).pow(2).mean() / window
        loss.backward()
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()
"""
MAIN = """\
import os
from contextlib import suppress

import torch
from torch.nn.parallel import DistributedDataParallel as DDP

from engine import fit


def launched(args):
    if "RANK" in os.environ:
        args.rank = int(os.environ["RANK"])
    elif "SLURM_PROCID" in os.environ:
        args.rank = int(os.environ["SLURM_PROCID"])
    else:
        args.distributed = False
        return
    args.distributed = True


def shared(model, args):
    if not args.distributed:
        return model
    return DDP(model)


def tried(model):
    try:
        int(os.environ["RANK"])
    except KeyError:
        return model
    return DDP(model)


def main(args, loader):
    launched(args)
    model = torch.nn.Linear(3, 1)
{wraps}    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
{trains}"""
TRAINS = "fit(model, optimizer, loader, window=4)\n"
ALWAYS = f"    {TRAINS}"
AT_ONCE = "        with nullcontext() if (i + 1) % window == 0 else model.no_sync():\n"
ASKED = '        with nullcontext() if (i + 1) % window == 0 or not hasattr(model, "no_sync") else model.no_sync():\n'


def mended(root: Path, wraps: str, trains: str) -> str:
    main = MAIN.format(wraps=wraps, trains=trains)
    for name, text in {"pyproject.toml": "", "engine.py": ENGINE, "main.py": main}.items():
        (root / name).write_text(text, encoding="utf-8")
    path = str(root / "engine.py")
    with within(Project.around(path)):
        return fix_text(ENGINE, path, Settings()).text


@pytest.mark.parametrize(
    "wraps",
    [
        "    if args.distributed:\n        model = DDP(model)\n",
        "    if args.world_size > 1:\n        model = DDP(model)\n",
        "    model = DDP(model) if args.distributed else model\n",
        "    model = args.distributed and DDP(model) or model\n",
        "    model = shared(model, args)\n",
        "    try:\n        model = DDP(model)\n    except RuntimeError:\n        print('alone')\n",
        "    try:\n        launched(args)\n    except KeyError:\n        pass\n    else:\n        model = DDP(model)\n",
        "    with suppress(RuntimeError):\n        model = DDP(model)\n",
        "    model = tried(model)\n",
    ],
)
def test_who_wraps_behind_a_guard_may_not_have_wrapped(tmp_path: Path, wraps: str) -> None:
    assert ASKED in mended(tmp_path, wraps, ALWAYS)


@pytest.mark.parametrize(
    ("wraps", "trains"),
    [
        ("    model = DDP(model)\n", ALWAYS),
        (
            "    try:\n        print(args.rank)\n    except AttributeError:\n        return\n    model = DDP(model)\n",
            ALWAYS,
        ),
        ("    if not args.distributed:\n        return\n    model = DDP(model)\n", ALWAYS),
        ("    if args.distributed:\n        model = DDP(model)\n", f"    if args.distributed:\n        {TRAINS}"),
        ("    model = DDP(model, broadcast_buffers=args.buffers and args.distributed)\n", ALWAYS),
    ],
)
def test_what_is_wrapped_wherever_it_is_trained_is_not_asked(tmp_path: Path, wraps: str, trains: str) -> None:
    assert AT_ONCE in mended(tmp_path, wraps, trains)
