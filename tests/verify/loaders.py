"""Loops over data, in every spelling that people have for a loader, right and wrong.

Each spelling says what the file imports, what the function is given, how the loop is headed, how a batch is taken and
what has the loader's length. The loops accumulate over four micro-batches; what is wrong with them is the same in all.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Spelling:
    """One way to write the loop over the data. `take` comes first in the body, `before` in each epoch."""

    head: str
    length: str
    imports: str = ""
    given: str = "model, opt"
    before: str = ""
    take: str = ""


IMPORTED = "from data import train_loader"
SPELLINGS = {
    "a parameter": Spelling("for i, (x, y) in enumerate(loader):", "len(loader)", given="model, opt, loader"),
    "an imported name": Spelling("for i, (x, y) in enumerate(train_loader):", "len(train_loader)", IMPORTED),
    "args.loader": Spelling("for i, (x, y) in enumerate(args.loader):", "len(args.loader)", given="model, opt, args"),
    "data.loader": Spelling("for i, (x, y) in enumerate(data.loader):", "len(data.loader)", "import data"),
    "tqdm of an imported name": Spelling(
        "for i, (x, y) in enumerate(tqdm(train_loader)):", "len(train_loader)", f"from tqdm import tqdm\n{IMPORTED}"
    ),
    "cycle of an imported name": Spelling(
        "for i, (x, y) in zip(range(64), cycle(train_loader)):",
        "len(train_loader)",
        f"from itertools import cycle\n{IMPORTED}",
    ),
    "iter and next of an imported name": Spelling(
        "for i in range(64):",
        "len(train_loader)",
        IMPORTED,
        before="batches = iter(train_loader)",
        take="x, y = next(batches)",
    ),
    "iter and next as often as there are batches": Spelling(
        "for i in range(len(train_loader)):",
        "len(train_loader)",
        IMPORTED,
        before="batches = iter(train_loader)",
        take="x, y = next(batches)",
    ),
    "iter and next of a parameter": Spelling(
        "for i in range(len(loader)):",
        "len(loader)",
        given="model, opt, loader",
        before="batches = iter(loader)",
        take="x, y = next(batches)",
    ),
}

DIVIDED, CLEARED = "loss = F.cross_entropy(model(x), y) / 4", "opt.zero_grad()"
RIGHT = {"divided": (DIVIDED, CLEARED, "")}
WRONG = {
    "the sum of the window": ("loss = F.cross_entropy(model(x), y)", CLEARED, ""),
    "another divisor": ("loss = F.cross_entropy(model(x), y) / 2", CLEARED, ""),
    "never cleared": (DIVIDED, "pass", ""),
    "cleared at each micro-batch": (DIVIDED, "pass", "opt.zero_grad()"),
}


def written(spelling: Spelling, form: tuple[str, str, str], *, length: bool) -> str:
    """The source of a loop; `length`: its guard asks for the loader's length, to step what is left of it."""
    share, cleared, first = form
    rest = f" or i + 1 == {spelling.length}" if length else ""
    lines = [
        *spelling.imports.split("\n"),
        "import torch.nn.functional as F",
        "",
        "",
        f"def train({spelling.given}):",
        "    for epoch in range(10):",
        f"        {spelling.before or 'model.train()'}",
        f"        {spelling.head}",
        *([f"            {spelling.take}"] if spelling.take else []),
        *([f"            {first}"] if first else []),
        f"            {share}",
        "            loss.backward()",
        f"            if (i + 1) % 4 == 0{rest}:",
        "                opt.step()",
        f"                {cleared}",
    ]
    return "\n".join(lines).strip() + "\n"
