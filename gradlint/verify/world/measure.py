"""The measured ledger: a consumed gradient as a weighted sum of micro-batch gradients."""

from __future__ import annotations

import torch
from torch import Tensor

NOTHING = 1e-6
"""A weight below this is none."""


def least_squares(given: Tensor, columns: dict[int, Tensor]) -> tuple[dict[int, float], float]:
    """The weight of each column in `given`, and the relative part of it that no weights explain.

    The latest columns are tried first; with more columns than numbers there would be no unique answer.
    """
    numbers = sorted(columns)[-(len(given) // 2 or 1) :]
    sizes = torch.stack([columns[number].norm() for number in numbers])
    matrix = torch.stack([columns[number] for number in numbers], dim=1).cpu() / sizes.cpu()
    target = given.cpu()
    solution = torch.linalg.lstsq(matrix, target[:, None]).solution[:, 0]
    rest = float((matrix @ solution - target).norm() / target.norm())
    weights = (solution / sizes.cpu()).tolist()
    shares = (solution.abs() / target.norm()).tolist()
    return (
        {n: w for n, w, share in zip(numbers, weights, shares, strict=True) if share > NOTHING},
        rest,
    )
