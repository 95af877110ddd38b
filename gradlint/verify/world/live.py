"""A value that depends on a model: what a forward gives, and every loss made of it.

A live value keeps two things apart. `value` is what the loop computes, with every weight it applies.
`parts` are the raw losses inside it with the whole numbers they were divided by, so that the gradient of
a raw loss can be taken on its own and compared with what the optimizer was given.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gradlint.verify.machine.values import Ratio, Thing, Unknown, Value, argument, is_number

if TYPE_CHECKING:
    from torch import Tensor

    from gradlint.verify.world.world import World

KEEPS = frozenset(
    """mean sum to float double half bfloat16 cuda cpu squeeze unsqueeze view reshape flatten contiguous clone type
    requires_grad_ retain_grad nan_to_num expand permute transpose type_as nanmean""".split()
)
DATA = frozenset(
    """item detach tolist numpy argmax size dim numel detach_ topk max_idx eq ne ge le gt lt isnan isinf isfinite any
    all element_size is_floating_point data_ptr long int bool nelement argsort argmin""".split()
)
IN_PLACE = {"div_": "div", "mul_": "mul", "add_": "add", "sub_": "sub", "true_divide": "div", "divide": "div",
            "multiply": "mul", "divide_": "div"}  # fmt: skip


@dataclass(frozen=True)
class Part:
    """One raw loss and what it was divided by."""

    raw: Tensor
    divisors: tuple[float, ...] = ()
    known: bool = True
    knob: bool = False
    knobs: int = 0

    @property
    def key(self) -> tuple[tuple[float, ...], bool]:
        """Parts that carry the same weight are one."""
        return self.divisors, self.known


@dataclass(frozen=True)
class Origin:
    """The forward a value comes from."""

    turn: int
    epoch: int
    training: bool = True
    in_no_sync: bool = False
    dtype: str = ""


@dataclass(eq=False)
class Live(Thing):
    """See the module's text. `outputs` are the models' real outputs, from which new raw losses can be made."""

    world: World
    value: Tensor
    parts: tuple[Part, ...]
    outputs: tuple[Tensor, ...]
    origin: Origin
    scaled: bool = False
    path: str = field(default="loss")

    def call(self, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """A tensor's methods: arithmetic is carried out, `backward` runs, the rest keeps the value as it is."""
        if name == "backward":
            told = argument(args, kwargs, 0, "gradient")
            kept = argument(args, kwargs, 1, "retain_graph") not in (None, False)
            self.world.backward(self if told is None else weighted(self), kept=kept)
            return None
        if name in IN_PLACE:
            result = arithmetic(IN_PLACE[name], self, args[0] if args else None)
            if name.endswith("_") and isinstance(result, Live):
                self.value, self.parts = result.value, result.parts
                return self
            return result
        if name in ("add", "sub", "mul", "div"):
            return arithmetic(name, self, args[0] if args else None)
        if name == "neg":
            return times(self, -1.0)
        if name in DATA:
            return Unknown("loss.item()" if name == "item" else f"loss.{name}()", data=True)
        if name in KEEPS or not self.value.requires_grad:
            return self
        return self.world.loss_of([self])

    def get(self, name: str) -> Value:
        """Attributes of tensors and of the results of models."""
        if name in ("data", "shape", "dtype", "device", "ndim"):
            return Unknown(f"loss.{name}", data=True)
        if name in ("requires_grad", "is_leaf"):
            return self.value.requires_grad if name == "requires_grad" else False
        if name == "grad_fn":
            return Unknown("loss.grad_fn", data=True)
        if name in _METHODS or name in KEEPS or name in DATA or name in IN_PLACE:
            return super().get(name)
        return self


_METHODS = frozenset("backward add sub mul div neg".split())


def merge(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Parts with equal weights become one."""
    groups: dict[tuple[tuple[float, ...], bool], Part] = {}
    for part in parts:
        known = groups.get(part.key)
        raw = part.raw if known is None else known.raw + part.raw
        groups[part.key] = replace(part, raw=raw, knob=part.knob or (known is not None and known.knob))
    return tuple(groups.values())


def times(live: Live, factor: float) -> Live:
    """Multiply by a constant of the objective: it belongs to the raw loss."""
    parts = tuple(replace(part, raw=part.raw * factor) for part in live.parts)
    return replace(live, value=live.value * factor, parts=parts)


def divided(live: Live, divisor: float, *, knob: bool = False) -> Live:
    """Divide by a number that may be a number of micro-batches: it is a weight."""

    def one(part: Part) -> Part:
        return replace(part, divisors=(*part.divisors, divisor), knob=part.knob or knob, knobs=part.knobs + knob)

    return replace(live, value=live.value / divisor, parts=tuple(map(one, live.parts)))


def weighted(live: Live) -> Live:
    """A factor nobody knows was applied."""
    return replace(live, parts=tuple(replace(part, known=False) for part in live.parts))


def added(left: Live, right: Live, sign: float = 1.0) -> Live:
    """The sum of two live values; the later forward is the one it comes from."""
    other = right if sign > 0 else times(right, -1.0)
    origin = max(left.origin, right.origin, key=lambda one: one.turn)
    if left.origin.turn == right.origin.turn and not (left.origin.training and right.origin.training):
        origin = left.origin if not left.origin.training else right.origin
    return replace(
        left,
        value=left.value + other.value,
        parts=merge((*left.parts, *other.parts)),
        outputs=(*left.outputs, *other.outputs),
        origin=origin,
        scaled=left.scaled or right.scaled,
    )


def arithmetic(operation: str, left: Value, right: Value, *, literal: bool = False, knob: bool = False) -> Value:
    """`left operation right`, one of them live. `literal`: the other is a number written in the source."""
    if isinstance(left, Live) and isinstance(right, Live):
        if operation in ("add", "sub"):
            return added(left, right, -1.0 if operation == "sub" else 1.0)
        return left.world.loss_of([left, right])
    if not isinstance(left, Live):
        assert isinstance(right, Live)
        if operation == "div":
            return right.world.loss_of([right])
        swapped = arithmetic(operation, right, left, literal=literal, knob=knob)
        return times(swapped, -1.0) if operation == "sub" and isinstance(swapped, Live) else swapped
    if operation in ("add", "sub"):
        return left
    if operation == "div":
        return _divide(left, right, knob)
    if operation == "mul":
        return _multiply(left, right, literal, knob)
    return left.world.loss_of([left])


def _divide(live: Live, by: Value, knob: bool) -> Value:
    if isinstance(by, (int, float)) and by:
        number = float(by)
        if isinstance(by, Ratio):
            return divided(live, number, knob=knob)
        return divided(live, number, knob=knob) if number.is_integer() else times(live, 1 / number)
    return weighted(live)


def _multiply(live: Live, by: Value, literal: bool, knob: bool) -> Value:
    if isinstance(by, Ratio) and by:
        return divided(live, 1 / float(by), knob=knob)
    if is_number(by) or isinstance(by, bool):
        number = float(by)
        if number and isinstance(by, int) and not literal and abs(number) != 1:
            return divided(live, 1 / number, knob=knob)
        return times(live, number)
    return live if isinstance(by, Unknown) and not by.data else weighted(live)
