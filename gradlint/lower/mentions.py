"""What the text of a file mentions, wherever that stands: looked for when a rule asks, as most rules never do."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from gradlint.lower.asleep import asleep
from gradlint.lower.averages import averages
from gradlint.lower.freezing import FREEZES, freezing
from gradlint.lower.names import Names, dotted
from gradlint.lower.notes import from_one, noted, searches
from gradlint.lower.outline import FunctionNode, Outline
from gradlint.lower.painted import painted
from gradlint.lower.quieting import quieting
from gradlint.lower.unscaling import unscaled_by_option
from gradlint.model.finding import Line, Span
from gradlint.model.mentions import LAUNCHERS, Asleep, Mentions
from gradlint.model.once import cached_property
from gradlint.model.pattern import pattern
from gradlint.syntax.source import Places

_LOOKS = pattern(
    r"\.grad\b(?!\()|attr\([^)]*grad|hook|first_step|ascen[td]|perturb|SAM\b"
    r"|\b(?!(?:zero|no|enable|set|clip|requires|auto)_?grad)(?!grad\b)\w*grad\w*\("
)
"""What may look at gradients that no step has used yet: an attack, a norm of each loss, a step of two halves."""


class InText(Mentions):
    """What a text mentions; each is looked for once."""

    def __init__(
        self,
        text: str,
        outline: Outline,
        names: Names,
        places: Places,
        functions: Sequence[tuple[str | None, FunctionNode]],
    ) -> None:
        self._text = text
        self._outline = outline
        self._names = names
        self._places = places
        self._owned = functions
        self._functions = [function for _, function in functions]

    @cached_property
    def uncalled(self) -> tuple[tuple[Span, str, str], ...]:
        """Methods that are named as a statement and not called."""
        return _uncalled(self._outline, self._names, self._places)

    @cached_property
    def clears(self) -> bool:
        """Whether anything could clear a gradient."""
        return any(pattern.search(self._text) for pattern in _CLEARS)

    @cached_property
    def unscales(self) -> bool:
        """Whether anything could unscale one."""
        return "unscale" in self._text

    @cached_property
    def unscaled(self) -> frozenset[Line]:
        """The lines before which an option may have unscaled them."""
        return self._lines(unscaled_by_option(self._text, self._functions))

    @cached_property
    def freezes(self) -> bool:
        """Whether anything keeps a network from getting some."""
        return FREEZES.search(self._text) is not None

    @cached_property
    def freezes_in_turn(self) -> bool:
        """Whether anything does for a part of each iteration."""
        return bool(freezing(self._text, self._outline, self._owned))

    @cached_property
    def looks(self) -> bool:
        """Whether anything looks at gradients before a step."""
        return _LOOKS.search(self._text) is not None

    @cached_property
    def averages_ranks(self) -> bool:
        """Whether parameters or gradients are made alike on all ranks by hand."""
        return averages(self._outline)

    @cached_property
    def switches(self) -> frozenset[Line]:
        """The lines of functions in which something speaks of switching gradients off."""
        return self._lines(quieting(self._text, self._functions, self._outline))

    @cached_property
    def painted(self) -> frozenset[Line]:
        """The lines of loops that make a few pictures for the eye."""
        return self._lines(painted(self._text, self._outline))

    @cached_property
    def derives(self) -> bool:
        """Whether it speaks of answers that are derivatives."""
        return _DERIVES.search(self._text) is not None

    @cached_property
    def rewinds(self) -> bool:
        """Whether it writes into parameters by hand: `p.data.copy_(old)`."""
        return _REWINDS.search(self._text) is not None

    @cached_property
    def stores(self) -> bool:
        """Whether gradients are given a place in a tensor of its own: `p.grad = flat[a:b].view_as(p)`."""
        return _STORES.search(self._text) is not None

    @cached_property
    def hears_all_reduces(self) -> bool:
        """Whether a function is asked with each all-reduce: `ddp.register_comm_hook(state, hook)`."""
        return "register_comm_hook(" in self._text

    @cached_property
    def adapts(self) -> bool:
        """Whether it speaks of networks that learn from a few samples by gradients of their own."""
        return any(_ADAPTS.search(row.partition("#")[0]) for row in self._text.splitlines())

    @cached_property
    def noted(self) -> frozenset[Line]:
        """The lines of loops that note the rate of a schedule each time."""
        return self._lines(noted(self._outline))

    @cached_property
    def searches(self) -> frozenset[Line]:
        """The lines of functions that return what they have noted so."""
        return self._lines(searches(self._outline, self._functions))

    @cached_property
    def from_one(self) -> frozenset[Line]:
        """The lines of loops that count from one: `for epoch in range(1, epochs + 1):`."""
        return self._lines(from_one(self._outline))

    @cached_property
    def dated(self) -> str:
        """What no PyTorch since 0.4 knows."""
        return "" if self.since else _age(self._text)

    @cached_property
    def since(self) -> bool:
        """Whether a loss is asked for its item."""
        return _SINCE.search(self._text) is not None

    @cached_property
    def early(self) -> bool:
        """Whether rates are read as before 1.4."""
        return _EARLY.search(self._text) is not None

    @cached_property
    def trained(self) -> frozenset[str]:
        """What `train()` is called on, or has `training` set."""
        return frozenset(found["called"] or found["set"] for found in _TRAINED.finditer(self._text))

    @cached_property
    def asleep(self) -> tuple[Asleep, ...]:
        """What is put into evaluation mode and asked nothing there."""
        return asleep(self._outline, self._owned, self._places)

    @cached_property
    def launches(self) -> bool:
        """Whether anything may start processes."""
        return any(name in self._text for name in LAUNCHERS)

    def _lines(self, rows: frozenset[int]) -> frozenset[Line]:
        return frozenset((self._places.module, row) for row in rows)


def _age(text: str) -> str:
    """What says that a file was written for a PyTorch before 0.4, if something does."""
    return next((said.group() for one in _DATED if (said := one.search(text)) is not None), "")


_SINCE = pattern(r"(?im)^[^#\n]*loss\w*\.item\(\)")
"""A loss has an `item()` since 0.4, and `volatile=True` no effect."""


_DATED = (
    re.compile(r"\bvolatile\s*=(?!=)(?!\s*False\b)"),
    re.compile(r"(?i)(?:(?:loss|err|cost)\w*|\b(?:sum|mean)\(\))\.data\[0\]|\bnn\.utils\.clip_grad_norm\("),
)
"""What was written for a PyTorch before 0.4: such a one has no `torch.no_grad`.

Source: https://pytorch.org/blog/pytorch-0_4_0-migration-guide/
"""


_TRAINED = pattern(
    r"(?P<called>[\w.()\[\]'\"]+)\.train\((?!\s*(?:mode\s*=\s*)?False)|(?P<set>[\w.()\[\]'\"]+)\.training\s*=(?!=)(?!\s*False)"
)
"""What goes into training mode: `model.trunk.train()`, `module.training = True`."""


_EARLY = pattern(r"(?i)\b\w*sched\w*\.get_lr\(\)")
"""The rate is read by what is for schedules of a kind alone since 1.4: the file may be for a PyTorch before 1.1, too.

Source: https://github.com/pytorch/pytorch/pull/26423 (`get_last_lr`), https://github.com/pytorch/pytorch/releases/tag/v1.1.0
"""


_DERIVES = pattern(
    r"(?i)eikonal|grad_theta|\bsdf|_sdf|normal_map|implicit_?net"
    r"|\bforces\b|\bforce_(?:loss|weight|pred)|(?:pred|true|loss)_forces?\b"
)
"""Fields and energies of which derivatives are part of the answer: their network, in another file, may need gradients.

Sources: https://github.com/lioryariv/volsdf, whose `VolSDFNetwork.forward` takes the normals by `autograd.grad`;
https://github.com/ACEsuit/mace, whose networks take the forces so
"""

_STORES = pattern(r"\.grad\s*=(?!=)[^\n]*\.(?:view|view_as|narrow|reshape|unflatten)\(")
"""What puts gradients into a tensor of its own, as flat optimizers and offloading do."""

_REWINDS = pattern(r"vector_to_parameters\(|\.data\s*=(?!=)|\.copy_\(")
"""What puts numbers into parameters, be they those of before."""

_ADAPTS = pattern(
    r"(?i)autograd\.grad|\bgrad\(|enable_grad|create_graph|functional_call|fast_?weights|inner_?(?:loop|lr|step|opt|update)"
    r"|adapt(?!ive)|maml|reptile|learn2learn|\bl2l\b|\bhigher\b|task_?net|test_time|finetun|fine_tun"
)
"""Words of meta-learning, whose networks are trained on the few samples of a task before they answer."""

_CLEARS = (
    re.compile(r"zero(?<!nonzero)(?<!non_zero)(?!s)"),
    re.compile(r"grad(?:\.data)? = (?:None|.*zeros)"),
)
"""What could clear a gradient: `zero_grad`, `zero_()`, `zeroGradients`; `torch.zeros(3)` or `nonzero` could not."""


def _uncalled(outline: Outline, names: Names, places: Places) -> tuple[tuple[Span, str, str], ...]:
    """(place, receiver, method) of every statement that names a method and does not call it."""
    found = []
    for node in outline.nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Attribute):
            receiver = dotted(node.value.value)
            if receiver and names.is_uncalled(node.value):
                found.append((places.span(node), receiver, node.value.attr))
    return tuple(sorted(found))
