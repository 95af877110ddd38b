"""Parameters and their gradients."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from torch import Tensor

from gradlint.verify.machine.values import Thing, Unknown, Value, is_number
from gradlint.verify.reasons import InconclusiveError, Reason

if TYPE_CHECKING:
    from gradlint.verify.world.world import World


@dataclass(eq=False)
class Parameter(Thing):
    """One parameter of a model, reached by hand."""

    world: World
    tensor: Tensor
    path: str = "p"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Parameter) and other.tensor is self.tensor

    def __hash__(self) -> int:
        return id(self.tensor)

    def get(self, name: str) -> Value:
        """`p.grad` is real; the rest of a parameter is nobody's business here."""
        if name == "grad":
            return Gradient(self) if self.tensor.grad is not None else None
        if name == "requires_grad":
            return self.tensor.requires_grad
        if name == "data":
            return self
        known = name in _UPDATES or name in ("register_hook", HOOK, "requires_grad_")
        return super().get(name) if known else Unknown(f"p.{name}", data=True)

    def put(self, name: str, value: Value) -> None:
        """`p.grad = None` clears.

        Raises:
            InconclusiveError: the gradient becomes something that no backward made.
        """
        if name == "requires_grad" and isinstance(value, bool):
            self.freeze(value)
        if name == "grad" and value is None:
            self.tensor.grad = None
        elif name == "grad" and not isinstance(value, Gradient):
            raise InconclusiveError(Reason.NOT_SEPARABLE, f"line {self.world.row}: a gradient is set by hand")

    def call(self, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """A change of the weights in place that uses the gradient is a step made by hand."""
        values = [*args, *kwargs.values()]
        if name == "requires_grad_":
            self.freeze(values[0] is not False if values else True)
            return self
        if name == HOOK and values:
            apply, hook = self.world.apply, values[0]
            tensor: Any = self.tensor
            tensor.register_post_accumulate_grad_hook(lambda _: apply(hook, [self]) and None)
            return None
        if name in _UPDATES and any(isinstance(one, Gradient) for one in values):
            self.world.by_hand()
        return self if name in _UPDATES else Unknown(f"p.{name}()", data=True)

    def freeze(self, flag: bool) -> None:
        """While training runs, a parameter is frozen for a while and freed again.

        Before it, which ones stay frozen is chosen by their names, and those of a stand-in say nothing.
        """
        if self.world.loop_depth or self.world.record.columns:
            self.tensor.requires_grad_(flag)


HARMLESS = frozenset("requires_grad_ detach_ retain_grad record_stream share_memory_ nan_to_num_".split())
"""Calls in place that leave the numbers of a gradient as they are, where they are numbers."""


HOOK = "register_post_accumulate_grad_hook"


_UPDATES = frozenset("add_ sub_ addcdiv_ addcmul_ copy_ mul_ lerp_".split())


@dataclass(eq=False)
class Gradient(Thing):
    """`p.grad`: a view of the real gradient."""

    owner: Parameter
    path: str = "p.grad"

    def get(self, name: str) -> Value:
        """`.data` is the same memory."""
        if name == "data":
            return self
        if name in ("shape", "dtype", "device", "is_sparse", "size"):
            return False if name == "is_sparse" else Unknown(f"p.grad.{name}", data=True)
        return super().get(name)

    def put(self, name: str, value: Value) -> None:
        """`p.grad.data = ...` changes what is consumed."""
        if name == "data" and value is not self:
            self.owner.world.rewritten(self.owner.tensor)

    def call(self, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """In-place arithmetic is carried out; a norm is a real number."""
        tensor = self.owner.tensor.grad
        if tensor is None:
            return Unknown("p.grad", data=True)
        if name in ("detach", "detach_", "float", "double", "to", "view", "contiguous", "flatten"):
            return self
        if name == "norm":
            return float(tensor.detach().double().norm())
        if name in ("zero_", "fill_"):
            tensor.zero_()
        elif name in ("clamp_", "clip_"):
            self._clamp(args, kwargs)
        elif name in ("mul_", "div_", "__imul__", "__itruediv__"):
            self.scale(args[0] if args else None, divide="div" in name)
        else:
            if name.endswith("_") and not name.endswith("__") and name not in HARMLESS:
                self.owner.world.rewritten(self.owner.tensor)
            return Unknown(f"p.grad.{name}()", data=True)
        return self

    def scale(self, by: Value, *, divide: bool) -> None:
        """Multiply or divide the gradient by a number."""
        tensor = self.owner.tensor.grad
        if tensor is None:
            return
        if is_number(by):
            number = float(by)
            tensor.mul_(1 / number if divide else number)
        elif not (isinstance(by, Unknown) and not by.data):
            self.owner.world.notes("a gradient was multiplied by something unknown")
            self.owner.world.rewritten(self.owner.tensor)

    def _clamp(self, args: list[Value], kwargs: dict[str, Value]) -> None:
        values = [*args, *kwargs.values()]
        limit = max((abs(float(one)) for one in values if is_number(one)), default=1.0)
        self.owner.world.clipped([self.owner.tensor], limit, by_value=True)


def held(parameters: Iterable[Tensor]) -> list[Tensor]:
    """Those that have a gradient that is not empty."""
    return [p for p in parameters if p.grad is not None and bool(p.grad.any())]
