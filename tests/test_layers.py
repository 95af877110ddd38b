"""The rooms of the house: imports keep to the table, and what is costly or speaks is imported in one place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import gradlint

ROOT = Path(gradlint.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))

ROOMS: dict[str, str] = {
    "model": "",
    "syntax": "",
    "files": "",
    "libraries": "",
    "project": "syntax files",
    "lower": "syntax libraries",
    "interpret": "libraries",
    "account": "",
    "rules": "account",
    "config": "rules",
    "fix": "syntax",
    "check": "project lower interpret account rules config fix syntax files libraries",
    "verify": "check account syntax",
    "report": "*",
    "server": "*",
    "cli": "*",
    "api": "check config fix syntax",
    "__init__": "api",
    "__main__": "cli",
}
"""The rooms of the house and which others each may import; `model` is open to all.

`docs/architecture.md` has the table for readers. A room that is not listed fails until somebody has thought about where
it belongs.
"""

DOORS: dict[tuple[str, str], str] = {
    ("account", "libraries.conventions"): "what divides a loss is the window if it is called like one",
    ("rules", "libraries.conventions"): "the same; and what is called like an objective",
    ("config", "files.globs"): "which files the configuration names",
    (
        "lower",
        "files.prefilter",
    ): "where calls that work on gradients are spelled, in a function as in a file",
    ("verify", "libraries.packages"): "until the wet run is on the one machine: which library trains",
}
"""Single doors between rooms, against the table: what is imported, and why. One that nobody uses any more fails."""

LIBCST = ("gradlint/syntax/from_libcst/", "gradlint/fix/", "gradlint/verify/slice")
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


def may_import(item: Import) -> bool:
    own = unit(item.path)
    allowed = ROOMS[own].split()
    return "*" in allowed or item.target in {own, "model", "__init__", *allowed}


def door(item: Import) -> tuple[str, str] | None:
    """The door that an import goes through, if there is one."""
    inner = item.name.removeprefix("gradlint.")
    return next((key for key in DOORS if key[0] == unit(item.path) and f"{inner}.".startswith(f"{key[1]}.")), None)


@pytest.mark.parametrize("name", sorted({unit(path) for path in FILES}))
def test_imports_keep_to_the_table(name: str) -> None:
    assert name in ROOMS, f"say in tests/test_layers.py what gradlint.{name} may import"
    inside = [item for item in IMPORTS if unit(item.path) == name and item.target]
    assert [f"{one.place} imports {one.name}" for one in inside if not may_import(one) and door(one) is None] == []


def test_every_door_is_used() -> None:
    used = {door(item) for item in IMPORTS if item.target and not may_import(item)}
    assert set(DOORS) - used == set()


def test_there_are_no_loose_modules() -> None:
    assert {path.stem for path in ROOT.glob("*.py")} == {"__init__", "__main__", "api"}


def test_the_rooms_have_no_cycle() -> None:
    """What tells people things may look into every room; the others' arrows point down."""
    arrows = {(name, other) for name, others in ROOMS.items() for other in others.split() if other != "*"}
    rest = set(ROOMS)
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


@pytest.mark.parametrize("name", ["libraries", "lower", "interpret", "account"])
def test_no_import_stands_inside_a_function(name: str) -> None:
    """There it is said with tables that are filled from above who carries what out: `interpret/language.py`."""
    assert [item.place for item in IMPORTS if unit(item.path) == name and item.nested] == []


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
    apart = {"interpret", "rules", "lower", "check"}
    users = {item.path.name for item in IMPORTS if unit(item.path) == "verify" and item.target in apart}
    assert users == {"linter.py"}
    inside = {"compare.py"}
    assert {item.path.name for item in IMPORTS if item.name == "gradlint.verify.linter"} == inside | {"verify.py"}


def test_rules_never_see_the_syntax_tree() -> None:
    seen = [
        item.place
        for item in IMPORTS
        if unit(item.path) in ("rules", "interpret", "account", "report")
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
    allowed = {
        ("rules/support/rule.py", "importlib.import_module"),
        ("syntax/parses.py", "compile"),  # to a syntax tree
        ("model/written.py", "exec"),  # the methods of our own data classes
    }
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
        if len(path.read_text(encoding="utf-8").splitlines()) > 100
    }
    assert long == {}


MOST = 12
"""So many attributes that may change one object has at most: with more it is several."""


def changing(cls: ast.ClassDef) -> set[str]:
    """The attributes of a class that may change once an object is made; those of frozen data may not."""
    marks = [ast.unparse(one) for one in cls.decorator_list]
    if any(one.startswith("record") or "frozen=True" in one for one in marks):
        return set()
    data = any("dataclass" in one for one in marks)
    found = {
        node.target.id
        for node in cls.body
        if data and isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    for node in ast.walk(cls):
        own = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == "self"
        if own and isinstance(node, ast.Attribute):
            found.add(node.attr)
    return found


@pytest.mark.parametrize("name", sorted({unit(path) for path in FILES} - {"verify"}))
def test_no_object_keeps_too_much_that_changes(name: str) -> None:
    """`verify` is left out: it is a second reader of Python today."""
    large = {
        f"{path.relative_to(ROOT).as_posix()}: {cls.name}": len(changing(cls))
        for path in FILES
        if unit(path) == name
        for cls in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(cls, ast.ClassDef) and len(changing(cls)) > MOST
    }
    assert large == {}


def test_every_function_says_what_it_returns() -> None:
    """The type checker can be told to pass over one; here that is found."""
    silent = [
        f"{path.relative_to(ROOT).as_posix()}:{node.lineno}"
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.returns is None
    ]
    assert silent == []
