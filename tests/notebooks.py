"""Small notebooks for tests, as Jupyter writes them."""

from __future__ import annotations

import json
from typing import Any

IMPORTS = "import torch\nfrom torch import nn\n"
LATE = """\
for x, y in loader:
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
"""
SETUP = "model = nn.Linear(2, 1)\noptimizer = torch.optim.Adam(model.parameters())\ncriterion = nn.MSELoss()"


def code(text: str, /, **more: Any) -> dict[str, Any]:
    """A code cell that has been run."""
    output = {"name": "stdout", "output_type": "stream", "text": ["é \\ud83d\n", "<b>\n"]}
    return {
        "cell_type": "code",
        "execution_count": 7,
        "id": "a1b2c3",
        "metadata": {"tags": ["keep"], "collapsed": True},
        "outputs": [output],
        "source": text.splitlines(keepends=True),
    } | more


def markdown(source: str) -> dict[str, Any]:
    """A cell of prose."""
    return {"cell_type": "markdown", "id": "m1", "metadata": {}, "source": source.splitlines(keepends=True)}


def notebook(*cells: dict[str, Any], language: str = "python", **layout: Any) -> str:
    """The text of a notebook; the layout is that of Jupyter, unless another is asked for."""
    whole = {
        "cells": [{**cell, "id": f"cell-{number}"} for number, cell in enumerate(cells)],
        "metadata": {"kernelspec": {"display_name": "x", "language": language, "name": "x"}, "z": 1, "a": 2},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(whole, **({"indent": 1, "ensure_ascii": False} | layout)) + "\n"


LAYOUTS: dict[str, dict[str, Any]] = {
    "jupyter": {},
    "one line": {"indent": None},
    "compact": {"indent": None, "separators": (",", ":")},
    "escaped": {"ensure_ascii": True},
    "tabs": {"indent": "\t"},
}
