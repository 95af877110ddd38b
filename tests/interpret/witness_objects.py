"""What a witness with real torch has for values: tiny networks, what they give, numbers that stand for unknown ones."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

from gradlint.interpret.witness import Act, Given

WIDTH = 384
"""Parameters of a network: more than losses in a run, or their gradients would not be independent."""
SAMPLES, TINY, SCALE = 16, 1e-6, 1024.0
FULL = torch.float64


class Uncarried(Exception):
    """The witness cannot carry this."""


class Refused(Exception):
    """Torch, or its scaler, refuses what the program does."""


class Size(int):
    """How many samples an output has."""


class Drawn(float):
    """A number that stands for one that nobody knows, another one for each batch where it `varies`."""

    varies = False

    @classmethod
    def of(cls, number: float, *, varies: bool) -> Drawn:
        """It, marked."""
        made = cls(number)
        made.varies = varies
        return made


@dataclass(eq=False)
class Output:
    """What a network gives, or what is computed of that, before anybody has said that it is a loss.

    Of the samples one is made by `mean` or `sum`; where there is none before the backward, each network in the `tree`
    of operators has returned one itself.
    """

    samples: Tensor
    tree: tuple[str, Given, Given] | None = None
    loss: Tensor | None = None
    parts: dict[object, Output] = field(default_factory=dict)

    def part(self, which: object) -> Output:
        """One of several results, or something else that is computed of this one: the same whenever it is asked for."""
        if which not in self.parts:
            made = self.samples.detach() if which == "detach" else self.samples * torch.randn(SAMPLES, dtype=FULL)
            self.parts[which] = Output(made)
        return self.parts[which]

    def become(self, op: str, right: Given) -> Output:
        """Change in place."""
        before = Output(self.samples, self.tree, self.loss)
        self.samples, self.tree, self.loss = operated(op, before, right).samples, (op, before, right), None
        return self


def operated(op: str, left: Given, right: Given) -> Output:
    """Outputs computed with, sample by sample: sums and multiples as they are, all else as something of the same size.

    So no loss has a gradient that is lost beside those of others.
    """
    outputs = [one for one in (left, right) if isinstance(one, Output)]
    if op in "+-" and len(outputs) == 1:  # a number would be large beside them
        return Output(
            -outputs[0].samples if (op, outputs[0]) == ("-", right) else outputs[0].samples, (op, left, right)
        )
    if op in "+-" or (len(outputs) == 1 and (op == "*" or (op == "/" and outputs[0] is left))):
        made = OPERATORS[op](*(one.samples if isinstance(one, Output) else one for one in (left, right)))
        return Output(made, (op, left, right))
    return mixed(outputs)


def mixed(outputs: Iterable[Output]) -> Output:
    """Something that is computed of outputs, sample by sample."""
    return Output(sum(one.samples * torch.randn(SAMPLES, dtype=FULL) for one in outputs))


class Net(nn.Module):
    """A linear network, with parts that are linear, too, as soon as they are asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.own = nn.Linear(WIDTH, 1, bias=False, dtype=FULL)
        self.parts = nn.ModuleDict()

    def part(self, name: str) -> Net:
        """One of its parts, which is there from now on."""
        key = f"part {name}".replace(".", "_")
        if key not in self.parts:
            self.parts[key] = Net()
        found = self.parts[key]
        assert isinstance(found, Net)
        return found

    def put(self, name: str, part: Net) -> None:
        """One of its parts is set."""
        self.parts[f"part {name}".replace(".", "_")] = part

    def forward(self, data: Tensor) -> Tensor:
        """One number for each sample."""
        return sum((part(data) for part in self.parts.values()), self.own(data).squeeze(1))


@dataclass(frozen=True)
class Criterion:
    """A loss by how it reduces."""

    reduction: str = "mean"


@dataclass(frozen=True)
class Plain:
    """An object that changes no gradient: a loader, a schedule, a sampler."""

    name: str


OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "+=": operator.iadd,
    "-=": operator.isub,
    "*=": operator.imul,
    "/=": operator.itruediv,
}


def parameters_in(value: Given) -> list[Tensor]:
    """All parameters in what an optimizer, a clip or a loop is given."""
    if isinstance(value, nn.Module):
        return list(value.parameters())
    if isinstance(value, torch.optim.Optimizer):
        return [one for group in value.param_groups for one in group["params"]]
    if isinstance(value, Mapping):
        return parameters_in(value.get("params"))
    if isinstance(value, (list, tuple)):
        return list({id(one): one for part in value for one in parameters_in(part)}.values())
    if isinstance(value, nn.Parameter):
        return [value]
    raise Uncarried(f"parameters that are not known: {value}")


def behind(node: Any, born: Mapping[Any, int]) -> Iterator[Any]:
    """The nodes of a graph where losses were born, not what these were made of."""
    todo, seen = [node], set()
    while todo:
        one = todo.pop()
        if one is not None and one not in seen:
            seen.add(one)
            if one in born:
                yield one
            else:
                todo += [inner for inner, _ in one.next_functions]


def flat(parameters: Iterable[Tensor], gradients: Mapping[Tensor, Tensor]) -> Tensor:
    parts = [gradients.get(one, torch.zeros_like(one)).detach().reshape(-1).double() for one in parameters]
    return torch.cat(parts) if parts else torch.zeros(0, dtype=FULL)


def scaler_of(act: Act) -> torch.amp.GradScaler:
    if not isinstance(act.receiver, torch.amp.GradScaler):
        raise Uncarried(f"{act.name} of {act.receiver}")
    return act.receiver


def optimizer_of(value: Given) -> torch.optim.Optimizer:
    if not isinstance(value, torch.optim.Optimizer):
        raise Uncarried(f"a step of {value}")
    return value


def is_known(value: Given) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, Drawn)
