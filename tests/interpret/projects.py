"""Small random projects: modules that make numbers in many ways, and spend them on losses in `main.py`.

Whatever a project does, Python knows; `executed` lets it run with a torch of four names that writes down each backward
with its factor, each step and each clearing.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from textwrap import indent

TORCH = """
import sys
from fractions import Fraction

TOLD = []


def note(kind, factor=None):
    frame = sys._getframe(2)
    TOLD.append((kind, frame.f_code.co_filename, frame.f_lineno, str(factor)))


class Loss:
    def __init__(self, factor):
        self.factor = factor

    def __mul__(self, other):
        return Loss(self.factor * Fraction(other).limit_denominator(10_000))

    __rmul__ = __mul__

    def __truediv__(self, other):
        return Loss(self.factor / Fraction(other).limit_denominator(10_000))

    def mean(self):
        return self

    def backward(self):
        note("backward", self.factor)


class Linear:
    def __init__(self, *sizes):
        pass

    def __call__(self, x):
        return Loss(Fraction(1))

    def parameters(self):
        return []


class SGD:
    def __init__(self, parameters, lr):
        pass

    def step(self):
        note("step")

    def zero_grad(self):
        note("zero_grad")


def ones(*sizes):
    return 0


class nn:
    Linear = Linear


class optim:
    SGD = SGD
"""

RUN = """
import json, os, sys
answers = []
for root in json.load(sys.stdin):
    there, here = os.pipe()
    if not os.fork():
        try:
            sys.path.insert(0, root)
            import torch
            space = {"__name__": "__main__"}
            path = os.path.join(root, "main.py")
            exec(compile(open(path).read(), path, "exec"), space)
            answer = torch.TOLD
        except Exception as wrong:
            answer = f"{type(wrong).__name__}: {wrong}"
        with os.fdopen(here, "w") as pipe:
            json.dump(answer, pipe)
        os._exit(0)
    os.close(here)
    with open(there) as pipe:
        answers.append(json.load(pipe))
    os.wait()
print(json.dumps(answers))
"""

Deed = tuple[str, str, int, str]
"""What was done, in which file, in which row, and the factor of a backward."""


def executed(roots: Sequence[Path], beside: Path) -> list[list[Deed] | str]:
    """What each project does, or why Python does not run it."""
    (beside / "torch.py").write_text(TORCH, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        input=json.dumps([str(root) for root in roots]),
        env={**os.environ, "PYTHONPATH": str(beside), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    told: list[list[Deed] | str] = [
        one if isinstance(one, str) else [(kind, path, row, factor) for kind, path, row, factor in one]
        for one in json.loads(done.stdout)
    ]
    return told


Use = Callable[[str, "Grower"], "str | list[str]"]


@dataclass(frozen=True)
class Thing:
    """Something that a module has: how it is `used`, given how it is called, as a number or as lines of `main.py`."""

    name: str
    module: str
    used: Use
    moves: bool = False
    """It is another number each time: not for what runs when a module is imported, which gradlint does when asked."""

    @property
    def spends(self) -> bool:
        """Whether it is used in lines of its own."""
        return self.used.__name__.startswith("do_")


@dataclass
class Text:
    """A module that is being written."""

    name: str
    imports: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    bound: set[str] = field(default_factory=set)

    @property
    def path(self) -> str:
        """Its file."""
        return f"{self.name.replace('.', '/')}.py"

    @property
    def package(self) -> str:
        """The package it is in."""
        return self.name.rpartition(".")[0]

    @property
    def source(self) -> str:
        """Its text."""
        return "\n".join([*self.imports, "", *self.parts, ""])


class Grower:
    """One project, grown from a seed."""

    def __init__(self, seed: int, *, twins: bool = False) -> None:
        self.choose, self.twins = random.Random(seed), twins
        packed = self.choose.random() < 0.6
        names = self.choose.sample(["alpha", "beta", "gamma", "utils.delta" if packed else "delta"], 3)
        self.texts = [Text(f"pack.{name}" if packed and name in ("alpha", "beta") else name) for name in names]
        self.packages: dict[str, list[str]] = {text.package: [] for text in self.texts if text.package}
        self.things: list[Thing] = []
        self.count = 0

    def number(self) -> str:
        """A literal."""
        return str(self.choose.randint(2, 9))

    def name(self, stem: str) -> str:
        """A name of few: modules often have the same."""
        return f"{stem}_{self.choose.choice('abc')}"

    def value(self, text: Text, lines: list[str] | None = None, *, moving: bool = False) -> str:
        """A number as an expression in a module: a literal, or what another module has."""
        others = [one for one in self.things if not one.spends and (moving or not one.moves)]
        if not others or self.choose.random() < 0.3:
            return self.number()
        thing = self.choose.choice(others)
        found = thing.used(self.reach(text, thing, lines), self)
        assert isinstance(found, str)
        return found

    def reach(self, text: Text, thing: Thing, lines: list[str] | None = None) -> str:
        """How a thing is called in a module, which imports it for that; in a function, in `lines` of that."""
        if thing.module == text.name:
            return thing.name
        module, name = thing.module, thing.name
        package, _, last = module.rpartition(".")
        self.count += 1
        other, handle = f"{name}_{self.count}", f"m{self.count}"
        relative = bool(package) and package == text.package
        forms: list[tuple[list[str], str]] = [
            ([f"from {module} import {name} as {other}"], other),
            ([f"import {module}"], f"{module}.{name}"),
            ([f"import {module} as {handle}"], f"{handle}.{name}"),
            ([f"import {module} as {handle}", f"{other} = {handle}.{name}"], other),
            (["import importlib", f'{handle} = importlib.import_module("{module}")'], f"{handle}.{name}"),
            ([f"import {module} as {handle}"], f'getattr({handle}, "{name}")'),
            (
                [
                    "try:",
                    f"    from not_there import {name} as {other}",
                    "except ImportError:",
                    f"    from {module} import {name} as {other}",
                ],
                other,
            ),
        ]
        if name not in text.bound:
            forms.append(([f"from {module} import {name}"], name))
        if lines is None and not text.bound & {one.name for one in self.things if one.module == module}:
            forms.append(([f"from {module} import *"], name))
        if package:
            forms.append(([f"from {package} import {last}"], f"{last}.{name}"))
            forms.append(([f"from {package} import {last} as {handle}"], f"{handle}.{name}"))
            handed = f"from {'.' if self.choose.random() < 0.5 else package + '.'}{last} import {name} as {other}"
            if not relative:
                forms.append(([f"from {package} import {other}"], other))
        if relative:
            forms.append(([f"from .{last} import {name} as {other}"], other))
            forms.append(([f"from . import {last}"], f"{last}.{name}"))
            forms.append(([f"from . import {last} as {handle}"], f"{handle}.{name}"))
        made, called = self.choose.choice(forms)
        if package and made == [f"from {package} import {other}"]:
            self.packages[package].append(handed)
        if made[0].endswith("*"):
            text.bound |= {one.name for one in self.things if one.module == module}
        elif called == name:
            text.bound.add(name)
        if lines is None:
            text.imports += made
        else:
            lines += made
        return called

    def add(self, text: Text, name: str, source: str, used: Use, *, moves: bool = False) -> None:
        """Write something into a module, under a name that it does not have yet."""
        if name in text.bound:
            return
        text.bound.add(name)
        text.parts.append(source)
        self.things.append(Thing(name, text.name, used, moves))

    def grow(self) -> dict[str, str]:
        """The files of the project."""
        for text in self.texts:
            for _ in range(self.choose.randint(2, 4)):
                self.choose.choice(KINDS)(self, text)
        if self.twins:
            self._double(self.choose.choice(self.texts))
        main = Text("main", ["import torch"])
        body: list[str] = []
        for _ in range(self.choose.randint(4, 8) if self.twins else self.choose.randint(3, 5)):
            body += self.spend(main)
        lines = [
            "def run():",
            "    model = torch.nn.Linear(1, 1)",
            "    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)",
            "    x = torch.ones(1)",
            *(f"    {line}" for line in body),
            "",
            "",
            "run()",
        ]
        main.parts.append("\n".join(lines))
        files = {"main.py": main.source, "pyproject.toml": ""}
        files |= {text.path: text.source for text in self.texts}
        for package, handed in self.packages.items():
            files[f"{package}/__init__.py"] = "\n".join([*handed, ""])
        return files

    def _double(self, text: Text) -> None:
        """A second module of the same text; only things of the two are used from now on."""
        other = replace(text, name=f"{text.name}_too")
        self.texts.append(other)
        mine = [one for one in self.things if one.module == text.name]
        self.things = [*mine, *(replace(one, module=other.name) for one in mine)]

    def spend(self, main: Text) -> list[str]:
        """Lines of `main.py` in which a number is seen."""
        lines: list[str] = []
        local = lines if self.choose.random() < 0.2 else None
        acts = [one for one in self.things if one.spends]
        if acts and self.choose.random() < 0.6:
            thing = self.choose.choice(acts)
            called = self.reach(main, thing, local)
            found = thing.used(called, self)
            return [*lines, *found]
        value = self.value(main, local, moving=True)
        return [*lines, f"(model(x).mean() * ({value})).backward()", "optimizer.step()"]


def computed(grow: Grower, text: Text) -> None:
    value = grow.value(text)
    grow.add(text, name := grow.name("sum"), f"{name} = {value} * 2 + 1", lambda called, _: called)


def chosen(grow: Grower, text: Text) -> None:
    source = "if {on}:\n    {name} = {one}\nelse:\n    {name} = {two}"
    name, on = grow.name("pick"), grow.choose.choice(["True", "False", "2 > 1", "not 3"])
    one, two = grow.value(text), grow.number()
    grow.add(text, name, source.format(on=on, name=name, one=one, two=two), lambda called, _: called)


def function(grow: Grower, text: Text) -> None:
    name, lines = grow.name("add"), list[str]()
    value = grow.value(text, lines if grow.choose.random() < 0.4 else None)
    default = grow.value(text)
    body = "\n".join([*lines, f"total = a + {value}", "return total * b"])
    source = f"def {name}(a, b={default}):\n{indent(body, '    ')}\n\n"

    def used(called: str, grow: Grower) -> str:
        rest = grow.choose.choice(["", f", {grow.number()}", f", b={grow.number()}"])
        return f"{called}({grow.number()}{rest})"

    grow.add(text, name, source, used)


def forwarding(grow: Grower, text: Text) -> None:
    name, value = grow.name("pass"), grow.value(text)
    source = f"""
def _{name}(a, b=1, *rest, c=2, **more):
    return a + b * c + len(rest) + more.get("d", {value})


def {name}(*args, **kwargs):
    return _{name}(*args, **kwargs)

"""

    def used(called: str, grow: Grower) -> str:
        return f"{called}({grow.choose.choice(['2', '2, 3', '2, 3, 4', '2, c=5', '2, d=7', '*[3, 4]', '**dict(a=4)'])})"

    grow.add(text, name, source, used)


def closure(grow: Grower, text: Text) -> None:
    name, value = grow.name("make"), grow.value(text)
    source = f"""
def {name}(k):
    first = k + {value}

    def inner(v):
        return first * v

    return inner

"""
    grow.add(text, name, source, lambda called, grow: f"{called}({grow.number()})({grow.number()})")


def counter(grow: Grower, text: Text) -> None:
    name, value = grow.name("count"), grow.number()
    source = f"""
_{name} = {value}


def {name}():
    global _{name}
    _{name} += 1
    return _{name}

"""
    grow.add(text, name, source, lambda called, _: f"{called}()", moves=True)


def kept(grow: Grower, text: Text) -> None:
    name, value = grow.name("keep"), grow.value(text)
    source = f"""
_{name} = {{"n": {value}}}


def {name}():
    _{name}["n"] = _{name}["n"] + 2
    return _{name}["n"]

"""
    grow.add(text, name, source, lambda called, _: f"{called}()", moves=True)


def attribute(grow: Grower, text: Text) -> None:
    name, value, other = grow.name("Sizes"), grow.value(text), grow.number()
    source = f"""
class {name}:
    wide = {value}
    both = wide + 1

    def __init__(self, own={other}):
        self.own = own

    @property
    def twice(self):
        return self.own * 2

    @staticmethod
    def fixed():
        return {other}

    @classmethod
    def of_class(cls):
        return cls.wide + 1

"""

    def used(called: str, grow: Grower) -> str:
        ways = [".wide", ".both", "().wide", "().own", "(4).own", "(own=5).twice", ".fixed()", ".of_class()"]
        return called + grow.choose.choice(ways)

    grow.add(text, name, source, used)


def record(grow: Grower, text: Text) -> None:
    name, value = grow.name("Config"), grow.value(text)
    text.imports.append("from dataclasses import dataclass, field")
    source = f"""
@dataclass
class {name}:
    first: int = {value}
    second: int = field(default=3)

    def both(self):
        return self.first + self.second

"""

    def used(called: str, grow: Grower) -> str:
        given = grow.choose.choice(["", "4", "4, 5", "second=6", "first=2"])
        return f"{called}({given})" + grow.choose.choice([".first", ".second", ".both()"])

    grow.add(text, name, source, used)


def lineage(grow: Grower, text: Text) -> None:
    """A class over one of another module, or over two that have one base."""
    bases = [one for one in grow.things if one.used is do_grow]
    base = grow.reach(text, grow.choose.choice(bases)) if bases and grow.choose.random() < 0.7 else "object"
    name, number = grow.name("Grow"), grow.number()
    up = f"super().size(n) + {number}" if base != "object" else f"n + {number}"
    shape = grow.choose.choice(["plain", "mixin", "diamond"])
    source = f"""
class _Base{name}({base}):
    def size(self, n):
        return {up}

    def act(self, loss, n):
        (loss * self.size(n)).backward()
        self.after(n)

    def after(self, n):
        pass

"""
    if shape == "plain":
        source += f"""
class {name}(_Base{name}):
    def __call__(self, n):
        return self.size(n) * 2

"""
    elif shape == "mixin":
        source += f"""
class _Mixin{name}:
    def size(self, n):
        return super().size(n) * 3


class {name}(_Mixin{name}, _Base{name}):
    def __call__(self, n):
        return self.size(n) + 1

"""
    else:
        source += f"""
class _Left{name}(_Base{name}):
    def __call__(self, n):
        return self.size(n) + 7


class _Right{name}(_Base{name}):
    def size(self, n):
        return super().size(n) * 5


class {name}(_Left{name}, _Right{name}):
    pass

"""
    grow.add(text, name, source, do_grow)


def do_grow(called: str, grow: Grower) -> list[str]:
    value = grow.choose.choice([f"grown({grow.number()})", f"grown.size({grow.number()})"])
    act = [f"grown.act(model(x).mean(), {grow.number()})"] if grow.choose.random() < 0.5 else []
    return [f"grown = {called}()", *act, f"(model(x).mean() * {value}).backward()"]


def partials(grow: Grower, text: Text) -> None:
    name, value = grow.name("part"), grow.value(text)
    text.imports.append("from functools import partial")
    source = f"""
def _{name}(a, b, c=1):
    return a * b + c


{name} = partial(_{name}, {grow.number()}, c={value})
"""
    grow.add(text, name, source, lambda called, grow: f"{called}({grow.number()})")


def registry(grow: Grower, text: Text) -> None:
    name, value = grow.name("KINDS"), grow.value(text)
    source = f"""
{name} = {{}}


def _register{name}(key):
    def wrap(made):
        {name}[key] = made
        return made

    return wrap


@_register{name}("one")
def _one{name}(n):
    return n + {value}


@_register{name}("two")
def _two{name}(n):
    return n * {grow.number()}

"""
    grow.add(text, name, source, lambda called, grow: f'{called}["{grow.choose.choice(["one", "two"])}"](3)')


def wrapped(grow: Grower, text: Text) -> None:
    name, value = grow.name("wrap"), grow.value(text)
    text.imports.append("import functools")
    source = f"""
def _around{name}(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs) * {grow.number()}

    return inner


@_around{name}
def {name}(n, m={value}):
    return n + m

"""
    grow.add(text, name, source, lambda called, grow: f"{called}({grow.choose.choice(['2', '2, m=3'])})")


def backwards(grow: Grower, text: Text) -> None:
    name, value = grow.name("back"), grow.value(text, moving=True)
    source = f"""
def {name}(loss, optimizer, k=2):
    optimizer.zero_grad()
    (loss * k / {value}).backward()
    optimizer.step()

"""

    def do_back(called: str, grow: Grower) -> list[str]:
        rest = grow.choose.choice(["", f", {grow.number()}", f", k={grow.number()}"])
        return [f"{called}(model(x).mean(), optimizer{rest})"]

    grow.add(text, name, source, do_back)


def items(grow: Grower, text: Text) -> None:
    name, value = grow.name("each"), grow.value(text)
    source = f"""
def {name}(start):
    return [start + k for k in range({value} % 3 + 1)]

"""

    def do_each(called: str, grow: Grower) -> list[str]:
        rest = ["    break"] if grow.choose.random() < 0.3 else []
        return [f"for part in {called}({grow.number()}):", "    (model(x).mean() * part).backward()", *rest]

    grow.add(text, name, source, do_each)


def acting_items(grow: Grower, text: Text) -> None:
    name, value = grow.name("walk"), grow.value(text)
    source = f"""
def {name}(optimizer, start):
    for k in (1, 2, 3):
        optimizer.zero_grad()
        yield start + k * {value}
        optimizer.step()

"""

    def do_walk(called: str, grow: Grower) -> list[str]:
        rest = grow.choose.choice([[], ["    if part > 4:", "        break"], ["    if part > 4:", "        continue"]])
        body = ["    (model(x).mean() * part).backward()"]
        lines = [*rest, *body] if grow.choose.random() < 0.5 else [*body, *rest]
        return [f"for part in {called}(optimizer, {grow.number()}):", *lines]

    grow.add(text, name, source, do_walk)


def context(grow: Grower, text: Text) -> None:
    name, value = grow.name("window"), grow.value(text)
    text.imports.append("from contextlib import contextmanager")
    source = f"""
@contextmanager
def {name}(optimizer, k={value}):
    optimizer.zero_grad()
    yield k + 1
    optimizer.step()

"""

    def do_with(called: str, grow: Grower) -> list[str]:
        given = grow.choose.choice(["", f", {grow.number()}"])
        return [f"with {called}(optimizer{given}) as k:", "    (model(x).mean() * k).backward()"]

    grow.add(text, name, source, do_with)


def manager(grow: Grower, text: Text) -> None:
    name, value = grow.name("Window"), grow.value(text)
    source = f"""
class {name}:
    def __init__(self, optimizer, k={value}):
        self.optimizer = optimizer
        self.k = k

    def __enter__(self):
        self.optimizer.zero_grad()
        return self.k

    def __exit__(self, *told):
        self.optimizer.step()

"""

    def do_enter(called: str, grow: Grower) -> list[str]:
        given = grow.choose.choice(["", f", {grow.number()}"])
        return [f"with {called}(optimizer{given}) as k:", "    (model(x).mean() * k).backward()"]

    grow.add(text, name, source, do_enter)


def settings(grow: Grower, text: Text) -> None:
    """A class and a module that `main.py` changes."""
    name, value = grow.name("Setting"), grow.value(text)
    source = f"""
class {name}:
    size = {value}


def _read{name}():
    return {name}.size

"""

    def do_set(called: str, grow: Grower) -> list[str]:
        change = [f"{called}.size = {grow.number()}"] if grow.choose.random() < 0.5 else []
        return [*change, f"(model(x).mean() * {called}.size).backward()"]

    grow.add(text, name, source, do_set)


KINDS: list[Callable[[Grower, Text], None]] = [
    computed,
    computed,
    chosen,
    function,
    function,
    forwarding,
    closure,
    counter,
    kept,
    attribute,
    record,
    lineage,
    lineage,
    partials,
    registry,
    wrapped,
    backwards,
    items,
    acting_items,
    context,
    manager,
    settings,
]


def grown(seed: int, root: Path, *, twins: bool = False) -> Path:
    """A project of that seed, written into a folder of its own."""
    folder = root / f"p{seed}"
    for name, source in Grower(seed, twins=twins).grow().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
    return folder
