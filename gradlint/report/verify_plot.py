"""Pictures of one loop's wet run, as SVG: which micro-batches each update consumed, and how long its gradient was.

matplotlib is imported here and nowhere else. Text stays text, nothing is loaded from elsewhere.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

from gradlint.report.verify import weight_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gradlint.verify.result import Figures, Trial

COLOURS = {"as written": "#c0392b", "after the fix": "#2471a3", "reference": "#7f8c8d"}
MOST = 10
Grid = list[list[float]]


def available() -> bool:
    """Whether matplotlib is there."""
    from importlib.util import find_spec

    return find_spec("matplotlib") is not None


def weights(trial: Trial, name: str) -> str:
    """The weight of every micro-batch in every update: as written, after the fix, reference."""
    old = _mine(trial.before.figures, name)
    new = _mine(trial.after.figures, name) if trial.after is not None else []
    panels = [("as written", _matrix(old, meant=False))]
    panels += [("after the fix", _matrix(new, meant=False))] if new else []
    panels.append(("reference", _matrix(new or old, meant=True)))
    top = max((abs(cell) for _, grid in panels for row in grid for cell in row), default=1.0) or 1.0
    columns = max(len(row) for _, grid in panels for row in grid)
    figure, axes = _figure(len(panels), 0.8 + 0.32 * columns, 0.9 + 0.34 * max(len(grid) for _, grid in panels))
    for axis, (title, grid) in zip(axes, panels, strict=True):
        _matrix_panel(axis, title, grid, top)
    return _svg(figure)


def norms(trial: Trial, name: str) -> str:
    """The norm of each update's gradient; under the clip's limit where there is one."""
    limit = trial.before.limit
    old = _mine(trial.before.clipped if limit else trial.before.figures, name)
    after = trial.after
    new = _mine((after.clipped if limit else after.figures) if after is not None else (), name)
    figure, (axis,) = _figure(1, 5.2, 2.6)
    series = [("as written", [one.norm for one in old]), ("after the fix", [one.norm for one in new])]
    reference = new or old
    values = [min(one.reference_norm, limit) if limit else one.reference_norm for one in reference]
    series.append(("reference", values))
    for place, (title, heights) in enumerate((title, heights) for title, heights in series if heights):
        axis.bar(
            [number + 1 + (place - 1) * 0.27 for number in range(len(heights))],
            heights,
            0.25,
            label=title,
            color=COLOURS[title],
        )
    if limit:
        axis.axhline(limit, color="black", linewidth=0.8, linestyle="--", label="max_norm")
    axis.set_xlabel("update")
    axis.set_ylabel("gradient norm")
    axis.legend(fontsize=7, frameon=False)
    return _svg(figure)


def _mine(figures: Sequence[Figures], name: str) -> list[Figures]:
    return [one for one in figures if one.optimizer == name][:MOST]


def _matrix(figures: Sequence[Figures], *, meant: bool) -> Grid:
    """A row for each update; gradients of earlier windows stand before those of its own."""
    old = max((sum(extra for _, _, extra in one.weights) for one in figures), default=0)
    rows = []
    for one in figures:
        before = [value for _, value, extra in one.weights if extra and not meant]
        own = [value for _, value in one.meant] if meant else [value for _, value, extra in one.weights if not extra]
        rows.append([0.0] * (old - len(before)) + before + own)
    widest = max((len(row) for row in rows), default=1)
    return [row + [0.0] * (widest - len(row)) for row in rows] or [[0.0]]


def _figure(panels: int, width: float, height: float) -> tuple[Any, Any]:
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=(min(width * panels, 16.0), min(height, 8.0)), layout="constrained")
    FigureCanvasSVG(figure)
    return figure, figure.subplots(1, panels, squeeze=False)[0]


def _matrix_panel(axis: Any, title: str, grid: Grid, top: float) -> None:
    axis.imshow(grid, cmap="RdBu_r", vmin=-top, vmax=top, aspect="auto")
    axis.set_title(title, fontsize=9, color=COLOURS[title])
    axis.set_xlabel("micro-batch", fontsize=8)
    axis.set_ylabel("update", fontsize=8)
    axis.set_yticks(range(len(grid)), [str(number + 1) for number in range(len(grid))], fontsize=7)
    axis.set_xticks([])
    if len(grid[0]) > 2 * MOST:
        return
    for row, cells in enumerate(grid):
        for column, value in enumerate(cells):
            shade = "white" if abs(value) > 0.6 * top else "black"
            axis.text(column, row, weight_text(value), ha="center", va="center", fontsize=7, color=shade)


def _svg(figure: Any) -> str:
    """The drawing alone, without the head of an XML file; equal for equal figures."""
    from matplotlib import rc_context

    out = io.StringIO()
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "gradlint"}):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    return text[text.index("<svg") :]
