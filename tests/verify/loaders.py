"""Loops over data, in every spelling that people have for a loader, right and wrong.

Each spelling says what the file imports, what the function is given, how the loop is headed, how a batch is taken and
what has the loader's length. The loops accumulate over four micro-batches; what is wrong with them is the same in all.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Spelling:
    """One way to write the loop over the data.

    `take` comes first in the body, `before` in each epoch; `counted` is the head where the length is asked for.
    """

    head: str
    length: str
    imports: str = ""
    given: str = "model, opt"
    before: str = ""
    take: str = ""
    counted: str = ""


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
        counted="for i, (x, y) in zip(range(len(train_loader)), cycle(train_loader)):",
    ),
    "iter and next of an imported name": Spelling(
        "for i in range(64):",
        "len(train_loader)",
        IMPORTED,
        before="batches = iter(train_loader)",
        take="x, y = next(batches)",
        counted="for i in range(len(train_loader)):",
    ),
    "iter and next of a parameter": Spelling(
        "for i in range(64):",
        "len(loader)",
        given="model, opt, loader",
        before="batches = iter(loader)",
        take="x, y = next(batches)",
        counted="for i in range(len(loader)):",
    ),
}

LOSS, CLEAR = "loss = F.cross_entropy(model(x), y)", "opt.zero_grad()"
RIGHT = (f"{LOSS} / 4", CLEAR, "")
"""The loss, what clears behind the step, and what stands first in the body."""
WRONG = {
    "the sum of the window": (LOSS, CLEAR, ""),
    "another divisor": (f"{LOSS} / 2", CLEAR, ""),
    "never cleared": (f"{LOSS} / 4", "pass", ""),
    "cleared at each micro-batch": (f"{LOSS} / 4", "pass", CLEAR),
}


def written(spelling: Spelling, form: tuple[str, str, str], *, length: bool) -> str:
    """The source of a loop; `length`: it asks for the loader's length, to step what is left of it.

    Where it does not, what is left of an epoch is thrown away before the next one.
    """
    loss, clear, first = form
    rest = f" or i + 1 == {spelling.length}" if length else ""
    lines = [
        *spelling.imports.split("\n"),
        "import torch.nn.functional as F",
        "",
        "",
        f"def train({spelling.given}):",
        "    for epoch in range(10):",
        *(f"        {one}" for one in (spelling.before, clear) if one),
        f"        {(length and spelling.counted) or spelling.head}",
        *(f"            {one}" for one in (spelling.take, first, loss) if one),
        "            loss.backward()",
        f"            if (i + 1) % 4 == 0{rest}:",
        "                opt.step()",
        f"                {clear}",
    ]
    return "\n".join(lines).strip() + "\n"
