"""The measured ledger: a consumed gradient as a weighted sum of micro-batch gradients."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Least:
    """What counts as something: a `weight`'s share of what was consumed, a singular `value` beside the largest."""

    weight: float
    value: float


DOUBLE = Least(1e-6, 1e-9)
SINGLE = Least(1e-5, 1e-4)
NOISE = 3e-2
"""In single precision no share below what all weights leave unexplained is something, up to this.

Rounding does not spare micro-batches that were not consumed. Under float16 autocast on a GPU it leaves 1e-3 unexplained
and gives them shares of 4e-5; gradients of 1e-4 leave 1e-2 there, and shares of 1e-3. Without autocast it leaves 1e-7.
"""


@dataclass(frozen=True)
class Measured:
    """The weight of each column, and the relative part that no weights explain.

    `dependent` says that the weights are not unique: among the columns that have some, one is made of the others.
    """

    weights: dict[int, float]
    residual: float
    dependent: bool = False


def least_squares(
    given: Tensor,
    columns: dict[int, Tensor],
    precision: torch.dtype = torch.float64,
    faint: frozenset[int] = frozenset(),
) -> Measured:
    """Write `given` as a weighted sum of the columns; `precision` is what the columns were computed in.

    The latest columns are tried first; with more columns than numbers there would be no unique answer. Those that are
    `faint` may have weights of one part in a loss scale: they were not scaled, and others were.
    """
    least = DOUBLE if precision is torch.float64 else SINGLE
    numbers = sorted(columns)[-(len(given) // 2 or 1) :]
    sizes = torch.stack([columns[number].norm() for number in numbers]).cpu()
    matrix = torch.stack([columns[number] for number in numbers], dim=1).cpu() / sizes
    target = given.cpu()
    left, values, right = torch.linalg.svd(matrix, full_matrices=False)
    kept = values > least.value * values[0]
    solution = right[kept].T @ ((left[:, kept].T @ target) / values[kept])
    rest = float((matrix @ solution - target).norm() / target.norm())
    shares = (solution.abs() / target.norm()).tolist()
    lowest = least.weight if least is DOUBLE else max(least.weight, min(rest, NOISE))
    used = torch.tensor(
        [share > (DOUBLE.weight if number in faint else lowest) for number, share in zip(numbers, shares, strict=True)]
    )
    loose = right[~kept].abs().amax(dim=0) if bool((~kept).any()) else torch.zeros(len(numbers))
    weights = (solution / sizes).tolist()
    return Measured(
        {number: weight for number, weight, taken in zip(numbers, weights, used.tolist(), strict=True) if taken},
        rest,
        bool((used & (loose > least.weight)).any()),
    )
