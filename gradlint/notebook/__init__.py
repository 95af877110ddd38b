"""Notebooks: the code cells of a `.ipynb` file as one program, and that program's changes back into the file."""

from __future__ import annotations

from gradlint.notebook.document import Notebook, is_notebook
from gradlint.notebook.magics import as_python

__all__ = ["Notebook", "as_python", "is_notebook"]
