"""Sharpness-aware minimisation: two backward passes make one update."""

from __future__ import annotations

from gradlint.libraries.operations import Operation
from gradlint.libraries.record import Library, method, named
from gradlint.model.effects import Action
from gradlint.model.roles import Role

SAM = Library(
    "SAM",
    "https://github.com/davda54/sam",
    (
        named(Role.OPTIMIZER, "SAM ASAM GSAM"),
        method(Role.OPTIMIZER, "first_step", Action.SAM_FIRST, None, Operation.PERTURB, anywhere=True),
        method(Role.OPTIMIZER, "second_step", Action.SAM_SECOND, None, Operation.PERTURB, anywhere=True),
    ),
)
