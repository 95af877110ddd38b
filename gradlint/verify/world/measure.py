"""The measured ledger: a consumed gradient as a weighted sum of micro-batch gradients."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

NOTHING = 1e-6
"""A weight below this is none."""
DEPENDENT = {torch.float64: 1e-9}
"""Singular values below this part of the largest are none; of gradients in single precision, below SINGLE."""
SINGLE = 1e-4


@dataclass(frozen=True)
class Measured:
    """The weight of each column, and the relative part that no weights explain.

    `dependent` says that the weights are not unique: among the columns that have some, one is made of the others.
    """

    weights: dict[int, float]
    residual: float
    dependent: bool = False


def least_squares(given: Tensor, columns: dict[int, Tensor], precision: torch.dtype = torch.float64) -> Measured:
    """Write `given` as a weighted sum of the columns; `precision` is what the columns were computed in.

    The latest columns are tried first; with more columns than numbers there would be no unique answer.
    """
    numbers = sorted(columns)[-(len(given) // 2 or 1) :]
    sizes = torch.stack([columns[number].norm() for number in numbers]).cpu()
    matrix = torch.stack([columns[number] for number in numbers], dim=1).cpu() / sizes
    target = given.cpu()
    left, values, right = torch.linalg.svd(matrix, full_matrices=False)
    kept = values > DEPENDENT.get(precision, SINGLE) * values[0]
    solution = right[kept].T @ ((left[:, kept].T @ target) / values[kept])
    rest = float((matrix @ solution - target).norm() / target.norm())
    shares = (solution.abs() / target.norm()).tolist()
    used = torch.tensor([share > NOTHING for share in shares])
    loose = right[~kept].abs().amax(dim=0) if bool((~kept).any()) else torch.zeros(len(numbers))
    weights = (solution / sizes).tolist()
    return Measured(
        {number: weight for number, weight, taken in zip(numbers, weights, used.tolist(), strict=True) if taken},
        rest,
        bool((used & (loose > NOTHING)).any()),
    )
