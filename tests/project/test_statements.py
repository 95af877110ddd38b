"""Statements: every import that Python reads in a file is found in its bytes, and nothing else."""

from __future__ import annotations

import ast
import random
import sysconfig
import warnings
from pathlib import Path

import pytest

import gradlint
from gradlint.project.statements import BETWEEN, mentions, statements

ROOT = Path(gradlint.__file__).parents[1]
FORMS = [
    "import a",
    "import a.b, c.d as e",
    "import a . b",
    "from a import b",
    "from a.b import c as d, e",
    "from a import *",
    "from a import(b)",
    "from.a import b",
    "from . import a",
    "from .. import a",
    "from ... a import b",
    "from  .a  import\tb",
    "from a import (b,  # )\n    c,\n)",
    "from a import (\n# import x\nb\n, c as d)",
    "from a \\\n    import b, \\\n    c",
    "from \\\n    a import b",
    "import a, \\\n    b",
    "import a; from b import c; import d",
    "import a; import b  # import c",
    "try: import a\nexcept ImportError: import b",
    "if True: from a import (b,\n    c)\nelse: from d import e",
    "def f():\n    import a\n    from b import c",
    "class A:\n  import a\n  def f(self): from b import c; return c",
    "with a: import b",
    "x = 1; import a",
    "import a # x; import b",
    "'import a'",
    '"""\nimport a\n"""\nimport b',
    "'''\nfrom a import b\n'''\nfrom c import d",
    "x = \"\"\"\nimport a\n\"\"\" + '''\nimport b\n'''\nimport c",
    'def f():\n    """Use it.\n\n    import a\n    from b import c\n    """\n    import d',
    "# import a\nimport b\n    # from c import d",
    "s = 'x: import a'\nt = \"; import b\"; import c",
    "lambda: 0; import a",
    "x = {1: 2}; import a",
    "important = 1\nimport_a = 2\nreimport = 3",
    "from importlib import reload\nimport importlib.util",
    "import importance\nfrom important import imported",
    "import ä.ö\nfrom ü import ß",
    "\x0cimport a",
    "if x:\n    pass\nimport a",
    "async def f():\n    import a",
    "print('''import a'''); import b",
    'r"""\\\\"""; import a',
    "x = \"'''\"; import a\ny = \"'''\"\nimport b",
    'x = "\\\nimport a"\nimport b',
    "for x in y: import a\nwhile x: import b",
    "import a;",
    "match x:\n    case 1: import a",
]
CALLS = [
    ("importlib.import_module('a.b')", {"a.b"}),
    ('import_module("a.b", package=None)', {"a.b"}),
    ("import importlib as i\ni.import_module(\n    'a.b',\n)", {"importlib", "a.b"}),
    ("import_module('.a', __package__)", {".a"}),
    ("import_module('.a.b', package=__name__)", {".a.b"}),
    ("import_module('..a', 'p.q')", {"..a"}),
    ("import_module('.a', package='p.q')", {"p.q.a"}),
    ("__import__('a.b')", {"a.b"}),
    ("x = __import__('a', fromlist=['b'])", {"a"}),
    ("import_module('a.' + name)", set()),
    ("import_module(name)", set()),
    ("import_module(f'a.{name}')", set()),
    ("# import_module('a')", set()),
    ('"""\nimport_module("a")\n"""', set()),
    ("s = \"import_module('a')\"", set()),
]


def found(data: bytes) -> set[str]:
    return set(mentions(statements(data).split(BETWEEN)))


def read(data: bytes | str) -> set[str]:
    """The same as Python's own parser has it."""
    names = set()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        nodes = list(ast.walk(ast.parse(data)))
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {alias.name if alias.asname else f"{alias.name}." for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            names |= {f"{module}{'' if module.endswith('.') else '.'}{alias.name}" for alias in node.names}
    return names


def called(data: bytes) -> bool:
    return b"import_module" in data or b"__import__" in data


@pytest.mark.parametrize("text", FORMS)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_form(text: str, end: str) -> None:
    for whole in (text, f"{text}\n", f"\n{text}\n\n", f"x = 1\n{text}\ny = 2\n"):
        data = whole.replace("\n", end).encode()
        assert found(data) == read(data), whole


def test_forms_after_each_other() -> None:
    choose = random.Random(5)
    for _ in range(300):
        text = "\n".join(choose.choices(FORMS, k=6)) + "\n"
        assert found(text.encode()) == read(text), text


@pytest.mark.parametrize(("text", "names"), CALLS)
def test_calls_with_a_literal(text: str, names: set[str]) -> None:
    assert {name.rstrip(".") for name in found(text.encode())} - {"importlib"} == names - {"importlib"}


def test_a_byte_order_mark_and_other_encodings() -> None:
    assert found(b"\xef\xbb\xbfimport a\n") == {"a."}
    assert found("# -*- coding: latin-1 -*-\nx = 'ä'\nfrom a import b  # ö\n".encode("latin-1")) == {"a.b"}
    assert found(b"\xff\xfe\x00import\x00") == set()


def test_broken_files_say_what_they_can() -> None:
    assert found(b"import a\nprint 'x'\nfrom b import (c,\n") >= {"a."}
    assert found(b"def f(:\n    from b import c\n") == {"b.c"}
    for text in (
        "import",
        "from",
        "from import",
        "import .",
        "from a import",
        "from . import",
        "import a.",
        "import ,",
    ):
        assert found(text.encode()) == set(), text


def sources() -> list[Path]:
    standard = Path(sysconfig.get_path("stdlib"))
    files = sorted(one for one in standard.rglob("*.py") if "site-packages" not in one.parts)
    return sorted(ROOT.glob("gradlint/**/*.py")) + random.Random(3).sample(files, 300)


def test_real_files() -> None:
    compared = 0
    for path in sources():
        data = path.read_bytes()
        try:
            names = read(data)
        except (SyntaxError, ValueError):
            continue
        assert found(data) >= names, path
        assert called(data) or found(data) == names, path
        compared += 1
    assert compared > 400
