"""Classes of torch's optimizers and schedules that are chosen by an option: whichever it is, it keeps the same books.

KINDS = {"sgd": SGD, "adam": Adam}
KINDS[args.optimizer](net.parameters())
getattr(torch.optim, args.optimizer)(net.parameters())
"""

from __future__ import annotations

from collections.abc import Sequence

from gradlint.interpret.clearing import may_clear
from gradlint.interpret.lineage import base_of, classes_of, method_of, role_of
from gradlint.interpret.values import Constructor, Imported, Unknown, Value
from gradlint.libraries.tables import OPTIMIZERS
from gradlint.model.program import Program
from gradlint.model.roles import Role

_TORCH = "torch.optim"


def one_of_torch(module: Value, name: Value) -> Imported | None:
    """What torch has among its optimizers under a name that nobody knows: `getattr(torch.optim, args.optimizer)`."""
    if not isinstance(module, Imported) or not isinstance(name, Unknown):
        return None
    return _open(module) if module.name in (_TORCH, f"{_TORCH}.__dict__") else None


def one_optimizer(program: Program, items: Sequence[Value]) -> Imported | None:
    """One of several classes of optimizers: torch's, or such of the project as clear no gradients themselves."""
    ours = [item for item in items if isinstance(item, Constructor) and _only_steps(program, item)]
    torchs = [item for item in items if isinstance(item, Imported) and _is_torchs(item)]
    return _open(torchs[0]) if torchs and len(ours) + len(torchs) == len(items) else None


def one_schedule(items: Sequence[Value]) -> Imported | None:
    """One of several of torch's schedules that only count their moves: that with milestones, if there is one."""
    found = [item for item in items if isinstance(item, Imported) and _only_counts(item)]
    careful = [item for item in found if item.name.endswith(".MultiStepLR")]
    return (*careful, *found)[0] if found and len(found) == len(items) else None


def _only_counts(item: Imported) -> bool:
    module, _, name = item.name.rpartition(".")
    return module == f"{_TORCH}.lr_scheduler" and name in _COUNTING


_COUNTING = frozenset(
    """
    StepLR MultiStepLR ConstantLR LinearLR ExponentialLR PolynomialLR CosineAnnealingLR CosineAnnealingWarmRestarts
    """.split()
)
"""Schedules whose rate is worked out of how often they have moved: no measure, and no function of the project."""


def _open(item: Imported) -> Imported:
    """Some optimizer of torch, nobody knows which."""
    return Imported(f"{_TORCH}.SGD", item.importer, one_of=True)


def _is_torchs(item: Imported) -> bool:
    module, _, name = item.name.rpartition(".")
    return module.startswith(_TORCH) and name in OPTIMIZERS


def _only_steps(program: Program, made: Constructor) -> bool:
    """Whether a class is an optimizer whose step leaves gradients as they are."""
    lineage = classes_of(program, made.cls)
    bases = (base for one in lineage for base in one.bases if base_of(program, one, base) is None)
    if role_of(program, made.cls) is not Role.OPTIMIZER or not all(base.startswith(f"{_TORCH}.") for base in bases):
        return False
    step = method_of(program, made.cls, "step")
    return step is None or not may_clear(step[0])
