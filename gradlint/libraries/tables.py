"""Tables: what the machine looks calls up in, derived from the records."""

from __future__ import annotations

from collections.abc import Mapping

from gradlint.libraries.accelerate import ACCELERATE
from gradlint.libraries.apex import APEX
from gradlint.libraries.deepspeed import DEEPSPEED
from gradlint.libraries.fabric import FABRIC
from gradlint.libraries.horovod import HOROVOD
from gradlint.libraries.lightning import LIGHTNING
from gradlint.libraries.opacus import OPACUS
from gradlint.libraries.operations import Operation
from gradlint.libraries.others import OTHERS
from gradlint.libraries.python import BUILT_IN, PYTHON
from gradlint.libraries.sam import SAM
from gradlint.libraries.timm import TIMM
from gradlint.libraries.torch import TORCH
from gradlint.model.effects import Effect
from gradlint.model.roles import Role

LIBRARIES = (
    *(TORCH, ACCELERATE, FABRIC, LIGHTNING, DEEPSPEED, APEX, TIMM, HOROVOD, SAM, OPACUS),
    *(*OTHERS, PYTHON),
)

_RECORDS = [record for library in LIBRARIES for record in library.calls]

BUILTINS: Mapping[str, Effect] = {name: record.effect for record in BUILT_IN for name in record.names}
"""Functions that need no import, by name."""

CALLS: Mapping[str, Effect] = {
    name: record.effect for record in _RECORDS if record.of is None for name in record.names if "." in name
}
"""Functions and classes by qualified name; one that starts with `*.` by its last component."""

HOUSES = frozenset(name.rsplit(".", depth)[0] for name in CALLS for depth in range(1, name.count(".") + 1))
"""The modules and classes in which these calls are."""

METHODS: Mapping[Role, Mapping[str, Effect]] = {
    role: {name: record.effect for record in _RECORDS if record.of is role for name in record.names}
    for role in dict.fromkeys(record.of for record in _RECORDS)
    if role is not None
}
"""Methods by the role of the receiver."""

ANYWHERE: Mapping[str, Effect] = {
    name.rpartition(".")[2]: record.effect for record in _RECORDS if record.anywhere for name in record.names
}
"""Methods whose meaning does not depend on what the receiver is."""

METHODS_BY_NAME: Mapping[str, Mapping[Role, Effect]] = {
    name: {role: methods[name] for role, methods in METHODS.items() if name in methods}
    for name in dict.fromkeys(name for methods in METHODS.values() for name in methods)
}
"""Methods by name, and what they mean by the role of the receiver."""

METHOD_NAMES = frozenset(METHODS_BY_NAME) - {"__call__", "gradient_accumulation_steps"}
"""Every method name that has a meaning for some role, and is no attribute of another's."""

OPERATIONS: Mapping[Effect, Operation] = {record.effect: record.real for record in _RECORDS if record.real is not None}
"""What carries out the calls of an effect in the sandbox."""

OPTIMIZERS = frozenset(
    name.rpartition(".")[2] for record in _RECORDS if record.role is Role.OPTIMIZER for name in record.names
)
"""Classes of optimizers, of torch and of others."""
