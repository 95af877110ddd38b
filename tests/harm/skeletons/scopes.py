"""Who chooses when ranks synchronise: a helper that is told, and a question that is only put behind the backward."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

HELPED = Draft(
    "scope-from-a-helper",
    """\
import contextlib

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

torch.set_default_dtype(torch.float64)


class Ferry:
    def __init__(self, every):
        torch.manual_seed(5)
        self.net = DDP(nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1)))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.2, momentum=0.5)
        self.every, self.told = every, []

    def hush(self, lands):
        return contextlib.nullcontext() if lands else self.net.no_sync()

    def cross(self, cargo):
        last = len(cargo) - 1
        lands = False
        for n, (x, y) in enumerate(cargo):
            lands = (n + 1) % self.every == 0 or n == last
            with self.hush(lands):
                loss = nn.functional.mse_loss(self.net(x), y)
                (loss / self.every).backward()
            self.told.append(loss.item())
            if lands:
                self.opt.step()
                self.opt.zero_grad()


def main():
    dist.init_process_group("gloo")
    ferry = Ferry(3)
    own = torch.Generator().manual_seed(40 + dist.get_rank())
    cargo = [(torch.randn(4, 3, generator=own), torch.randn(4, 1, generator=own)) for _ in range(7)]
    for _ in range(2):
        ferry.cross(cargo)
    told = torch.tensor(ferry.told).sum()
    dist.all_reduce(told)
    print(f"{told.item():.6f}")
    return ferry.net.module
""",
    ("step-without-sync",),
    ranks=2,
)

HUSH = "return contextlib.nullcontext() if lands else self.net.no_sync()"
ASKED = "with self.hush(lands):"
EARLY = "            lands = (n + 1) % self.every == 0 or n == last\n"
TOLD = "            self.told.append(loss.item())\n"
LATE = ((EARLY, ""), (ASKED, "with self.net.no_sync():"), (TOLD, TOLD + EARLY))


def helped() -> Iterator[Case]:
    yield HELPED.right("as-it-is")
    yield HELPED.wrong(
        "the-wrong-way-round", ((HUSH, "return self.net.no_sync() if lands else contextlib.nullcontext()"),)
    )
    yield HELPED.wrong("told-only-of-full-loads", ((ASKED, "with self.hush((n + 1) % self.every == 0):"),))
    yield HELPED.wrong("told-by-a-keyword", ((ASKED, "with self.hush(lands=not lands):"),))
    yield HELPED.styled(
        (HUSH, "return self.net.no_sync() if hushed else contextlib.nullcontext()"),
        ("def hush(self, lands)", "def hush(self, hushed)"),
        (ASKED, "with self.hush(hushed=not lands):"),
    ).wrong("told-the-contrary", (("hushed=not lands", "hushed=lands"),))
    yield HELPED.wrong("asked-behind-the-backward", LATE)
    sized = ((EARLY, EARLY.replace("n == last", "n + 1 == len(cargo)")),)
    yield HELPED.styled(*sized).wrong(
        "sized-behind-the-backward",
        ((sized[0][1], ""), (ASKED, "with self.net.no_sync():"), (TOLD, TOLD + sized[0][1])),
    )
    lively = "            if lands:\n                self.told.append(0.5)\n"
    yield HELPED.styled((EARLY, lively + EARLY)).left(
        "what-the-batch-before-was-is-told",
        ((EARLY, ""), (ASKED, "with self.net.no_sync():"), (TOLD, TOLD + EARLY)),
    )
    yield HELPED.right(
        "said-in-two-words-that-mean-the-same",
        (HUSH, "return self.net.no_sync() if lands else contextlib.nullcontext()"),
        (ASKED, "with self.hush(not lands):"),
    )


def cases() -> Iterator[Case]:
    yield from helped()
