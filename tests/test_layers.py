"""Layers: imports point down only, and what is costly or speaks is imported in one place.

A unit is a package of `gradlint` or one of its modules. `LAYERS` says what each unit may import;
a unit that is not listed fails until somebody has thought about where it belongs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import gradlint

ROOT = Path(gradlint.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))

DATA = "finding ledger trail books program vocabulary"
LAYERS: dict[str, str] = {
    # plain data
    "finding": "ledger",
    "ledger": "",
    "trace": "ledger",
    "trail": "finding members",
    "books": "trail finding",
    "weights": "trail vocabulary",
    "rows": "books ledger trail weights",
    "program": "finding members told",
    "custom": "",
    "comments": "",
    "told": "comments custom nearest",
    "members": "",
    "vocabulary": "custom program words",
    # reading
    "funnel": "quiet",
    "words": "",
    "nearest": "",
    "ratio": "",
    "pages": "",
    "source": "finding funnel newer quiet",
    "newer": "quiet",
    "notebook": "source finding",
    "cells": "engine notebook finding fix source config trace",
    "quiet": "",
    "syntax": "",
    "lower": "custom funnel source syntax vocabulary program finding told",
    "dryrun": "program trail books weights vocabulary words finding ledger",
    # judging
    "edits": "finding",
    "rule": f"rows {DATA} edits rules",
    "mend": f"rule rows edits {DATA}",
    "leftovers": f"rule mend edits {DATA}",
    "sums": f"rule {DATA}",
    "counting": f"rule {DATA}",
    "phases": f"rule mend edits {DATA}",
    "reducing": f"rule mend edits {DATA}",
    "schedules": f"rule mend edits {DATA}",
    "library_clips": f"edits {DATA}",
    "excuses": "rule trail",
    "rules": (
        "rule edits leftovers phases reducing schedules sums counting mend library_clips ratio rows weights "
        f"vocabulary {DATA}"
    ),
    "work": f"rule {DATA}",
    "account": f"rule rows {DATA}",
    "sight": "dryrun rule words program trail books vocabulary finding",
    "judge": "lower dryrun rule excuses edits finding program work sight",
    "looked": "custom judge rule",
    "trial": "custom judge looked dryrun program rule",
    "evidence": f"judge mend rule edits {DATA}",
    "safety": f"account evidence trial judge fix rule edits source {DATA}",
    "tracing": f"dryrun rule trace {DATA}",
    "explaining": "judge trace",
    "fingerprint": "finding",
    "measured": "measured_table",
    "measured_table": "",
    "gitignore": "",
    "globs": "",
    "target": "nearest quiet source",
    "settings": "custom nearest rule",
    "configfile": "custom nearest settings target",
    "config": "configfile globs settings",
    "baseline": "config finding fingerprint globs",
    "suppress": "comments config finding nearest rule told",
    "ignores": "comments suppress source finding",
    "files": "walk config finding gitignore globs",
    "fix": "notebook edits source finding newer syntax",
    "verify": "source ledger finding edits notebook config engine vocabulary",
    "failure": "",
    "pool": "",
    "cache": "settings finding",
    "survey": "funnel cache finding",
    "walk": "gitignore globs settings",
    "batch": "cells survey cache pool failure engine settings source finding",
    "repair": "custom judge fix edits rule config looked safety suppress source finding target work",
    "engine": (
        "comments custom ignores config lower dryrun judge repair fix source suppress told trace tracing explaining "
        "finding funnel settings rule"
    ),
    # telling
    "report": "finding fingerprint ledger measured trace",
    "server": "custom engine config finding source report nearest pages fix trace ledger notebook",
    "api": "config engine finding source fix edits",
    "cli": (
        "survey walk engine batch config failure files finding nearest report rule source pages server verify fix "
        "edits api cache baseline custom cells fingerprint ignores measured notebook trace"
    ),
    "__init__": "api",
    "__main__": "cli",
}
FOR_TYPES = {("report", "rule"), ("report", "fix"), ("report", "verify"), ("report", "settings")}
"""Imports that only a type checker follows."""

LIBCST = ("gradlint/newer/", "gradlint/fix/", "gradlint/verify/slice", "gradlint/edits")
TORCH = ("gradlint/verify/",)


@dataclass(frozen=True)
class Import:
    """One import: by which file, of what, and whether it is carried out."""

    path: Path
    name: str
    row: int
    typing: bool
    nested: bool

    @property
    def place(self) -> str:
        return f"{self.path.relative_to(ROOT.parent).as_posix()}:{self.row}"

    @property
    def target(self) -> str:
        """The unit of gradlint that is imported, if any."""
        parts = self.name.split(".")
        return (parts[1] if len(parts) > 1 else "__init__") if parts[0] == "gradlint" else ""


def unit(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[Import]:
    """Every import of a file, nested ones too."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    todo: list[tuple[ast.AST, bool, bool]] = [(tree, False, False)]
    while todo:
        node, typing, nested = todo.pop()
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(path, alias.name, node.lineno, typing, nested)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            module = node.module or ""
            for alias in node.names:
                inside = module == "gradlint" and (ROOT / alias.name).with_suffix(".py").exists()
                inside = inside or (module == "gradlint" and (ROOT / alias.name).is_dir())
                name = f"{module}.{alias.name}" if inside else module
                yield Import(path, name, node.lineno, typing, nested)
        within = nested or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        typed = typing or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
        todo += [(child, typed, within) for child in ast.iter_child_nodes(node)]


IMPORTS = [item for path in FILES for item in imports(path)]


def test_there_is_something_to_look_at() -> None:
    assert len(FILES) > 50
    assert len(IMPORTS) > 200


@pytest.mark.parametrize("name", sorted({unit(path) for path in FILES}))
def test_imports_point_down(name: str) -> None:
    assert name in LAYERS, f"say in tests/test_layers.py what gradlint.{name} may import"
    allowed = {name, "__init__", *LAYERS[name].split()}
    wrong = [
        f"{item.place} imports {item.name}"
        for item in IMPORTS
        if unit(item.path) == name
        and item.target
        and item.target not in allowed
        and not (item.typing and (name, item.target) in FOR_TYPES)
    ]
    assert wrong == []


def test_the_layers_have_no_cycle() -> None:
    """`source` and `newer`, `rule` and `rules` know each other; every other arrow points down."""
    pairs = {("rule", "rules")}
    arrows = {
        (name, other) for name, others in LAYERS.items() for other in others.split() if (name, other) not in pairs
    }
    rest = set(LAYERS)
    while rest:
        free = {name for name in rest if not any((name, other) in arrows for other in rest)}
        assert free, f"these import each other: {sorted(rest)}"
        rest -= free


def test_modules_of_a_unit_are_loaded_in_any_order() -> None:
    """At import time no two modules need each other; what must, imports inside a function."""
    arrows: dict[str, set[str]] = {}
    names = {".".join(path.relative_to(ROOT.parent).with_suffix("").parts) for path in FILES}
    for item in IMPORTS:
        if not item.typing and not item.nested:
            own = ".".join(item.path.relative_to(ROOT.parent).with_suffix("").parts)
            arrows.setdefault(own.removesuffix(".__init__"), set()).add(item.name)
    rest = {name.removesuffix(".__init__") for name in names}
    while rest:
        free = {name for name in rest if not (arrows.get(name, set()) & rest) - {name}}
        assert free, f"these import each other: {sorted(rest)}"
        rest -= free


def users(package: str) -> set[str]:
    """Files that import a package, carried out or not."""
    return {item.path.relative_to(ROOT.parent).as_posix() for item in IMPORTS if item.name.split(".")[0] == package}


def test_libcst_is_imported_where_trees_are_rewritten() -> None:
    assert [path for path in users("libcst") if not path.startswith(LIBCST)] == []


def test_torch_is_imported_by_verify_alone() -> None:
    assert [path for path in users("torch") if not path.startswith(TORCH)] == []


def test_the_protocol_is_imported_by_the_server_alone() -> None:
    both = users("pygls") | users("lsprotocol")
    assert both
    assert [path for path in both if not path.startswith("gradlint/server/")] == []


def test_click_is_imported_by_the_command_line_alone() -> None:
    assert [path for path in users("click") if not path.startswith("gradlint/cli/")] == []


def test_the_wet_run_is_independent_evidence() -> None:
    """What measures knows nothing of the linter; one module holds the finished verdicts against what it is sure of."""
    apart = {"dryrun", "rule", "rules", "lower", "engine", "cells", "repair", "judge"}
    users = {item.path.name for item in IMPORTS if unit(item.path) == "verify" and item.target in apart}
    assert users == {"linter.py"}
    inside = {"compare.py"}
    assert {item.path.name for item in IMPORTS if item.name == "gradlint.verify.linter"} == inside | {"verify.py"}


def test_rules_never_see_the_syntax_tree() -> None:
    seen = [
        item.place
        for item in IMPORTS
        if unit(item.path) in ("rules", "rule", "dryrun", "report")
        and item.name.split(".")[0] in ("ast", "libcst", "tokenize", "inspect")
    ]
    assert seen == []


def calls(path: Path) -> Iterator[tuple[int, str]]:
    """(row, dotted name) of every call and attribute of a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield node.lineno, ast.unparse(node.func)
        elif isinstance(node, (ast.Attribute, ast.Name)):
            yield node.lineno, ast.unparse(node)


SPEAKING = {
    *("print", "input", "breakpoint", "exit", "quit", "sys.exit", "os._exit", "SystemExit"),
    *("sys.stdout", "sys.stderr", "click.echo", "click.secho"),
}


@pytest.mark.parametrize(
    "path",
    [path for path in FILES if unit(path) not in ("cli", "__main__", "server")],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_only_the_command_line_prints_or_exits(path: Path) -> None:
    allowed = {"os._exit"} if path.relative_to(ROOT).as_posix() == "verify/isolate.py" else set()  # a child's end
    assert [f"row {row}: {name}" for row, name in calls(path) if name in SPEAKING - allowed] == []


def test_user_code_is_never_executed() -> None:
    forbidden = {"exec", "eval", "__import__", "compile", "importlib.import_module", "runpy.run_path"}
    allowed = {("rule.py", "importlib.import_module"), ("funnel.py", "compile")}  # to a syntax tree
    found = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in FILES
        if unit(path) not in ("verify", "cli")
        for _, name in calls(path)
        if name in forbidden
    }
    assert found <= allowed


def test_one_rule_is_one_short_file() -> None:
    long = {
        path.name: len(path.read_text(encoding="utf-8").splitlines())
        for path in (ROOT / "rules").glob("*.py")
        if len(path.read_text(encoding="utf-8").splitlines()) > 125
    }
    assert long == {}
