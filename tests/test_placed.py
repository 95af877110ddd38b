from __future__ import annotations

import pytest

from gradlint.model.placed import tail


@pytest.mark.parametrize(
    ("path", "others", "name"),
    [
        ("engine.py", (), "engine.py"),
        ("/home/u/speech/engine.py", ("/home/u/main.py",), "engine.py"),
        ("a/b/engine.py", ("a/c/engine.py",), "b/engine.py"),
        ("a/b/engine.py", ("c/b/engine.py", "engine.py"), "a/b/engine.py"),
        ("engine.py", ("b/engine.py",), "engine.py"),
        ("a/engine.py", ("a/engine.py",), "engine.py"),
        ("a/b/__init__.py", (), "b/__init__.py"),
    ],
)
def test_a_file_is_named_as_shortly_as_it_is_clear(path: str, others: tuple[str, ...], name: str) -> None:
    assert tail(path, *others) == name
