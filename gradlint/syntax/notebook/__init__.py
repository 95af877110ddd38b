"""Notebooks: the code cells of a `.ipynb` file as one program, and that program's changes back into the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradlint.syntax.notebook.kind import is_notebook

if TYPE_CHECKING:
    from gradlint.syntax.notebook.document import Notebook
    from gradlint.syntax.notebook.magics import as_python

__all__ = ["Notebook", "as_python", "is_notebook"]


def __getattr__(name: str) -> object:
    """What reads notebooks is loaded when the first of them comes: few files are one."""
    if name == "Notebook":
        from gradlint.syntax.notebook.document import Notebook

        return Notebook
    if name == "as_python":
        from gradlint.syntax.notebook.magics import as_python

        return as_python
    raise AttributeError(f"module 'gradlint.syntax.notebook' has no attribute {name!r}")
