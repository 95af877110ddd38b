"""A whole file: its functions and classes, its body, and what its text mentions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from gradlint.libraries.conventions.numbers import WINDOW_NAME
from gradlint.lower.aliases import aliases
from gradlint.lower.averages import averages
from gradlint.lower.beyond import Beyond
from gradlint.lower.gates import Gates, Solving, own_scalers, own_wrappers
from gradlint.lower.names import Names, dotted, imports_of, last_name, stars_of
from gradlint.lower.notes import noted, searches
from gradlint.lower.outline import FunctionNode, Outline, own
from gradlint.lower.statements import Lowering
from gradlint.lower.told import told
from gradlint.lower.workers import Work
from gradlint.model.custom import current
from gradlint.model.finding import Line, Span
from gradlint.model.mentions import Mentions
from gradlint.model.program import Module
from gradlint.syntax.source import Places, tree_of

_FREEZES = re.compile(
    r"(?i)freez|frozen|toggle|trainable|\.requires_grad\s*=(?!=)(?!\s*True)|requires_grad\((?!\))|requires_grad_\((?!\s*(?:True)?\s*\))"
)
"""What may keep a network from getting gradients of a loss that goes through it."""

_LOOKS = re.compile(
    r"\.grad\b(?!\()|attr\([^)]*grad|hook|first_step|ascen[td]|perturb|SAM\b"
    r"|\b(?!(?:zero|no|enable|set|clip|requires|auto)_?grad)(?!grad\b)\w*grad\w*\("
)
"""What may look at gradients that no step has used yet: an attack, a norm of each loss, a step of two halves."""


class File:
    """A file that is lowered as far as somebody asks."""

    def __init__(self, path: str, text: str, number: int, beyond: Beyond, solving: Solving) -> None:
        """Read it.

        Args:
            path: its name, for messages.
            text: its source.
            number: which of its program's modules it is.
            beyond: the other files of the project.
            solving: what is being found out of all of them together.

        Raises:
            SourceError: the text cannot be parsed.
        """
        self.path, self.text, self.number, self._beyond, self._solving = path, text, number, beyond, solving
        self.tree = tree_of(text)

    @cached_property
    def outline(self) -> Outline:
        """Its statements."""
        return Outline(self.tree, self.text)

    @cached_property
    def functions(self) -> list[tuple[str | None, FunctionNode]]:
        """Its functions, each with the class around it."""
        return self.outline.functions()

    @cached_property
    def tops(self) -> Mapping[str, ast.stmt]:
        """The functions and classes that importers can name."""
        nodes = own(self.tree.body)
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        return {node.name: node for node in nodes if isinstance(node, kinds)}

    @cached_property
    def imports(self) -> Mapping[str, str]:
        """What its names are elsewhere."""
        return imports_of(self.outline.nodes)

    @cached_property
    def stars(self) -> tuple[str, ...]:
        """The modules that it takes everything from."""
        return stars_of(self.outline.nodes)

    @cached_property
    def names(self) -> Names:
        """What is known of its names."""
        names = Names.of(self.outline)
        names.told = told(self.text, current())
        names.beyond = self._beyond
        names.scalers = own_scalers(names, self.outline.nodes)
        names.wrappers = own_wrappers(names, self.outline.nodes)
        return names

    @cached_property
    def aliases(self) -> Mapping[str, set[str]]:
        """The functions that are known under other names."""
        return aliases(self.outline, self.functions)

    @cached_property
    def gates(self) -> Gates:
        """What its nodes can do."""
        return Gates(self.names, self.functions, self.aliases, self._solving)

    @cached_property
    def work(self) -> Work:
        """Which of its functions can work on gradients."""
        told_of = self.names.told.callables
        return Work(self.outline, self.functions, told_of, self.aliases, self._beyond.workers())

    @cached_property
    def module(self) -> Module:
        """It in the language of the dry run."""
        text, outline, names, places = self.text, self.outline, self.names, Places(self.text, self.number)
        lowering = Lowering(places, names, self.gates, self.work, loops=self.number * LOOPS_IN_A_FILE)
        body = lowering.module_body(self.tree, len(places.lines) or 1)
        return Module(
            self.path,
            body,
            _mentions(text, outline, names, places, [function for _, function in self.functions]),
            names.told,
            names.library,
            frozenset(name for name, methods in names.protocol.items() if "update" in methods),
            _defaults(outline),
            _asserted(outline),
            _texts(outline),
            _PROCESSES.search(text) is not None,
            names.imports,
            names.stars,
        )


LOOPS_IN_A_FILE = 1_000_000
"""More than there are: loops of several files have numbers of their own."""


def _mentions(text: str, outline: Outline, names: Names, places: Places, functions: list[FunctionNode]) -> Mentions:
    return Mentions(
        uncalled=_uncalled(outline, names, places),
        clears=any(pattern.search(text) for pattern in _CLEARS),
        unscales="unscale" in text,
        freezes=_FREEZES.search(text) is not None,
        looks=_LOOKS.search(text) is not None,
        averages_ranks=averages(outline),
        switches=_lines(places.module, _switching(text, functions)),
        derives=_DERIVES.search(text) is not None,
        noted=_lines(places.module, noted(outline)),
        searches=_lines(places.module, searches(outline, functions)),
        dated=_age(text),
        early=_EARLY.search(text) is not None,
    )


def _lines(module: int, rows: frozenset[int]) -> frozenset[Line]:
    return frozenset((module, row) for row in rows)


def _age(text: str) -> str:
    """What says that a file was written for a PyTorch before 0.4, if something does."""
    return next((said.group() for one in _DATED if (said := one.search(text)) is not None), "")


_DATED = (
    re.compile(r"\bvolatile\s*=\s*True\b"),
    re.compile(r"(?i)(?:loss|err|cost)\w*\.data\[0\]|\bnn\.utils\.clip_grad_norm\("),
)
"""What was written for a PyTorch before 0.4: such a one has no `torch.no_grad`.

Source: https://pytorch.org/blog/pytorch-0_4_0-migration-guide/
"""


_EARLY = re.compile(r"(?i)\b\w*sched\w*\.get_lr\(\)")
"""The rate is read by what is for schedules of a kind alone since 1.4: the file may be for a PyTorch before 1.1, too.

Source: https://github.com/pytorch/pytorch/pull/26423 (`get_last_lr`), https://github.com/pytorch/pytorch/releases/tag/v1.1.0
"""

_PROCESSES = re.compile(
    r"\.(?:is_(?:local_)?main_process|(?:local_)?main_process_first|(?:local_)?process_index|wait_for_everyone|num_processes)\b"
)
"""What only a training on several processes asks Accelerate."""


_OPTIONS = re.compile(rb"\b(?:add_argument|option)\b")
"""Calls that declare an option of the command line: of argparse, of click."""


def _defaults(outline: Outline) -> dict[str, int]:
    """The whole numbers that options have where they are not given, by the name of the option."""
    found: dict[str, int] = {}
    for node in outline.holding(_OPTIONS):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        default = next((word.value for word in node.keywords if word.arg == "default"), None)
        flags = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
        value = default.value if isinstance(default, ast.Constant) else None
        if isinstance(value, int) and not isinstance(value, bool):
            found.update({flag.lstrip("-").replace("-", "_"): value for flag in flags})
    return found


def _texts(outline: Outline) -> dict[str, str]:
    """The words that options have where they are not given, by the name of the option."""
    found: dict[str, str] = {}
    for node in outline.holding(_OPTIONS):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            default = next((word.value for word in node.keywords if word.arg == "default"), None)
            flags = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
            if isinstance(default, ast.Constant) and isinstance(default.value, str):
                found.update({flag.lstrip("-").replace("-", "_"): default.value for flag in flags})
    return found


def _asserted(outline: Outline) -> dict[str, int]:
    """The windows that the file insists on: `assert args.accum == 1`, or else it ends; not those of one branch only."""
    found: dict[str, int] = {}
    suites = [node.body for node in outline.nodes if isinstance(node, (ast.Module, ast.FunctionDef))]
    for test in (node.test for suite in suites for node in suite if isinstance(node, ast.Assert)):
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
            name, number = last_name(test.left), test.comparators[0]
            value = number.value if isinstance(number, ast.Constant) else None
            if name and WINDOW_NAME.search(name) and type(value) is int and value > 0:
                found[name] = value if found.get(name, value) == value else 0
    return {name: value for name, value in found.items() if value}


def _switching(text: str, functions: list[FunctionNode]) -> frozenset[int]:
    """The rows of all functions that speak of gradients being switched off, or wanted; outside of them all others."""
    rows = text.splitlines()
    said = {row for row, line in _statements(rows) if _speaks(line)}
    if not said:
        return frozenset()
    whole = [
        range(min((node.lineno, *(one.lineno for one in node.decorator_list))), (node.end_lineno or node.lineno) + 1)
        for node in functions
        if not isinstance(node, ast.Lambda)
    ]
    inside = {row for extent in whole for row in extent}
    found = {row for extent in whole if not said.isdisjoint(extent) for row in extent}
    if said - inside:
        found.update(set(range(1, len(rows) + 1)) - inside)
    return frozenset(found)


def _statements(rows: list[str]) -> Iterator[tuple[int, str]]:
    """Each line with its row; one that a backslash continues goes with the next."""
    begun = ""
    for row, line in enumerate(rows, 1):
        whole = f"{begun}{line.lstrip() if begun else line}"
        if line.endswith("\\"):
            begun = whole[:-1]
            continue
        yield row, whole
        begun = ""


def _speaks(line: str) -> bool:
    if not _MAY_SPEAK.search(line):
        return False
    if _FOLLOWED.fullmatch(line) or _LEFT_OUT.fullmatch(line):
        return False
    line = _OF_PARAMETERS.sub("", _FROZEN_PART.sub("", _FROZEN.sub("", line)))
    said = _ASKED.sub("", line).replace("reset_grad", "")
    told = _CONTEXT.match(line) is not None or _ANSWERS.search(line) is not None
    return told or _GRADIENT.search(line.partition("#")[0]) is not None or any(word in said for word in _SWITCHES)


_MAY_SPEAK = re.compile(r"grad|[Ww][Ii][Tt][Hh]|True|inference_mode|volatile")
"""What is in every line that one of the patterns below finds."""

_CONTEXT = re.compile(r"(?i)\s*(?:async\s+)?with\s.*(?:eval|infer|test|frozen|freeze|disable|no_?backprop)\w*\(")
"""`with eval_mode(model):` may switch gradients off as well."""

_ANSWERS = re.compile(r"\b(?:auto_?grad|derivatives?|(?:regress|compute|predict)_forces?)\s*=\s*True\b")
"""A network that answers with a gradient, by the keywords of force fields (SchNet, TorchMD-Net, OCP, MACE)."""


_DERIVES = re.compile(
    r"(?i)eikonal|grad_theta|\bsdf|_sdf|normal_map|implicit_?net"
    r"|\bforces\b|\bforce_(?:loss|weight|pred)|(?:pred|true|loss)_forces?\b"
)
"""Fields and energies of which derivatives are part of the answer: their network, in another file, may need gradients.

Sources: https://github.com/lioryariv/volsdf, whose `VolSDFNetwork.forward` takes the normals by `autograd.grad`;
https://github.com/ACEsuit/mace, whose networks take the forces so
"""

_ASKED = re.compile(r"\.requires_grad\b(?!_)(?!\s*=(?!=))")
"""A parameter that is only asked whether it is trained: `[p for p in model.parameters() if p.requires_grad]`."""


_LEFT_OUT = re.compile(r"\s*#\s*(?:with|@)\s*torch\s*\.\s*(?:no_grad|inference_mode)\s*\(\s*\)\s*:?\s*")
"""What stood there once, and switches nothing off as a comment."""

_FROZEN = re.compile(r"deepcopy\(.*\)\.requires_grad_\(False\)")
"""A copy that is frozen where it is made: what is evaluated is another network."""

_FROZEN_PART = re.compile(r"(?<![\w.])\w+(?:\.\w+)+\.requires_grad\s*=\s*False\b")
"""`model.encoder.requires_grad = False`: a part, or nothing at all where it is a module; the rest is trained."""

_OF_PARAMETERS = re.compile(
    r"\b(?:p|param|parameter|params|parameters)(?:\[[01]\])?\.(?:grad\b(?!\()|requires_grad\s*=\s*True\b)"
)
"""A parameter's gradient, for a log or a sum: there is none without a backward, which goes back from somewhere else.

One that is trained again is none of an input's.
"""


_CLEARS = (
    re.compile(r"zero(?<!nonzero)(?<!non_zero)(?!s)"),
    re.compile(r"grad(?:\.data)? = (?:None|.*zeros)"),
)
"""What could clear a gradient: `zero_grad`, `zero_()`, `zeroGradients`; `torch.zeros(3)` or `nonzero` could not."""

_SWITCHES = (
    "no_grad",
    "nograd",
    "inference_mode",
    "set_grad",
    "enable_grad",
    "requires_grad",
    "volatile",
    "autograd.func",
)
_GRADIENT = re.compile(r"\bgrad\b(?<!-no-grad)")
"""What says that gradients are switched off somewhere, or wanted for something else than training."""

_FOLLOWED = re.compile(r"\s*(?:with|@)\s*torch\s*\.\s*(?:no_grad|inference_mode)\s*\(\s*\)\s*:?\s*(?:#.*)?")
"""A line that the machine follows by itself: what stands under it is known to have no gradients."""


def _uncalled(outline: Outline, names: Names, places: Places) -> tuple[tuple[Span, str, str], ...]:
    """(place, receiver, method) of every statement that names a method and does not call it."""
    found = []
    for node in outline.nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Attribute):
            receiver = dotted(node.value.value)
            if receiver and names.is_uncalled(node.value):
                found.append((places.span(node), receiver, node.value.attr))
    return tuple(sorted(found))
