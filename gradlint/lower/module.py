"""A whole file: its functions and classes, its body, and what its options are."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from gradlint.libraries.conventions.numbers import WINDOW_NAME
from gradlint.lower.aliases import OWN, aliases, chosen
from gradlint.lower.beyond import Beyond
from gradlint.lower.callees import own_scalers, own_wrappers
from gradlint.lower.gates import Gates
from gradlint.lower.gathering import filled
from gradlint.lower.mentions import InText
from gradlint.lower.names import Names, imports_of, last_name, stars_of
from gradlint.lower.outline import FunctionNode, Outline, own
from gradlint.lower.rebinding import Rebound, rebound, shown
from gradlint.lower.solving import Solving
from gradlint.lower.statements import Lowering
from gradlint.lower.told import told
from gradlint.lower.touches import calls_what_it_is_given, keeps
from gradlint.lower.workers import Work
from gradlint.model.custom import current
from gradlint.model.effects import Gate
from gradlint.model.once import cached_property
from gradlint.model.pattern import pattern
from gradlint.model.program import Module
from gradlint.syntax.nodes import walk
from gradlint.syntax.source import Places, tree_of


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
    def works(self) -> bool:
        """Whether anything can happen in it that has to do with training, whoever runs it.

        Something is done to gradients, or kept in an object: a loss, in a meter; or what is handed in is called.
        """
        bodies = [node.body for _, node in self.functions if not isinstance(node, ast.Lambda)]
        if any(self.gates.of_all(body) & ~Gate.JUMP for body in (self.tree.body, *bodies)):
            return True
        if any(calls_what_it_is_given(node) for _, node in self.functions):
            return True
        return any(keeps(part) for body in bodies for statement in body for part in walk(statement))

    @cached_property
    def tops(self) -> Mapping[str, ast.stmt]:
        """The functions and classes that importers can name."""
        nodes = own(self.tree.body)
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        return {node.name: node for node in nodes if isinstance(node, kinds)}

    @cached_property
    def imports(self) -> Mapping[str, str]:
        """What its names are elsewhere."""
        return {**self.written, **self.rebound.imports}

    @cached_property
    def written(self) -> Mapping[str, str]:
        """What each of its imports by itself makes of a name."""
        return imports_of(self.outline.nodes)

    @cached_property
    def shown(self) -> frozenset[str] | None:
        """What it has for star imports, if it says that."""
        return shown(self.tree)

    @cached_property
    def rebound(self) -> Rebound:
        """Which names of the module other statements bind before an import does."""
        return rebound(self.tree.body, self._beyond.exports)

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
        names.imports.update(self.rebound.imports)
        names.defined -= self.rebound.lost
        names.scalers = own_scalers(names, self.outline.nodes)
        names.wrappers = own_wrappers(names, self.outline.nodes)
        return names

    @cached_property
    def aliases(self) -> Mapping[str, set[str]]:
        """The functions that are known under other names."""
        own = [name for name, whole in self.names.imports.items() if self._beyond.has(whole)]
        return aliases(self.outline, self.functions, own, self._filled)

    @cached_property
    def _filled(self) -> frozenset[str]:
        """The names of what it puts something into, for itself or for others that call it: `STEPS[name] = step`."""
        return filled(self.outline.nodes) - self.names.imports.keys()

    @cached_property
    def chosen(self) -> Mapping[str, frozenset[str]]:
        """The methods that its variables mean."""
        return chosen(self.outline, {node.name for owner, node in self.functions if owner and hasattr(node, "name")})

    @cached_property
    def gates(self) -> Gates:
        """What its nodes can do."""
        return Gates(self.names, self.functions, self.aliases, self._solving, self.tops, self.chosen)

    @cached_property
    def work(self) -> Work:
        """Which of its functions can work on gradients."""
        told_of, beyond = self.names.told.callables, set(self._beyond.workers())
        brought = sorted(name for name, whole in self.imports.items() if whole.rpartition(".")[2] in beyond)
        own = {name: {f"{OWN}{method}" for method in methods} for name, methods in self.chosen.items()}
        kept = {name: self.aliases.get(name, set()) | own.get(name, set()) for name in {**self.aliases, **own}}
        given = sorted({*brought, *(self._filled & beyond)})
        return Work(self.outline, self.functions, told_of, kept, sorted(beyond.union(brought)), given)

    @cached_property
    def module(self) -> Module:
        """It in the language of the dry run."""
        text, outline, names, places = self.text, self.outline, self.names, Places(self.text, self.number)
        freed, loops = self.rebound.freed, self.number * LOOPS_IN_A_FILE
        lowering = Lowering(places, names, self.gates, self.work, freed, loops)
        body = lowering.module_body(self.tree, len(places.lines) or 1)
        options = list(_options(outline))
        return Module(
            self.path,
            body,
            InText(text, outline, names, places, self.functions),
            names.told,
            names.library,
            frozenset(name for name, methods in names.uses.protocol.items() if "update" in methods),
            {name: value for name, value in options if type(value) is int},
            _asserted(outline),
            {name: value for name, value in options if isinstance(value, str)},
            _PROCESSES.search(text) is not None,
            names.imports,
            names.stars,
            self.rebound.lost,
            self.shown,
        )


LOOPS_IN_A_FILE = 1_000_000
"""More than there are: loops of several files have numbers of their own."""


_PROCESSES = pattern(
    r"\.(?:is_(?:local_)?main_process|(?:local_)?main_process_first|(?:local_)?process_index|wait_for_everyone|num_processes)\b"
)
"""What only a training on several processes asks Accelerate."""


_OPTIONS = pattern(rb"(?:add_argument|option)\b")
"""Calls that declare an option of the command line: of argparse, of click."""


def _options(outline: Outline) -> Iterator[tuple[str, object]]:
    """The names of options, and what these have where they are not given."""
    for node in outline.naming(_OPTIONS):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            default = next((word.value for word in node.keywords if word.arg == "default"), None)
            flags = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
            if isinstance(default, ast.Constant):
                yield from ((flag.lstrip("-").replace("-", "_"), default.value) for flag in flags)


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
