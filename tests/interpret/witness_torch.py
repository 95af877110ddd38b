"""A witness with real torch: a tiny linear network for each one that is met, and what every step consumes, measured.

A loss is a tensor from its forward on. Its own gradient is taken where it is born; before each step the gradient that
the optimizer is given is written as a sum of these, by least squares. Data are so small that no clip is active, even
where the loss scale is still in the gradients: what is read are weights. Processes, frameworks that keep books of their
own, and what optimizers do with closures are not carried.
"""

from __future__ import annotations

import builtins
import copy
import random
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import torch
from torch import Tensor, nn

from gradlint.interpret.witness import Act, Given, Named
from gradlint.libraries.operations import Operation, Question
from gradlint.model.roles import Role
from interpret.witness_objects import (
    FULL,
    OPERATORS,
    SAMPLES,
    SCALE,
    TINY,
    WIDTH,
    Criterion,
    Drawn,
    Net,
    Output,
    Plain,
    Refused,
    Size,
    Uncarried,
    behind,
    flat,
    is_known,
    mixed,
    operated,
    optimizer_of,
    parameters_in,
    scaler_of,
)


@dataclass
class Step:
    """One update: its optimizer, how many backwards there were before it, and the weight of each loss in it."""

    optimizer: str
    backwards: int
    weights: dict[int, float]


@dataclass
class TorchWitness:
    """All that is real in one run: networks, losses with their own gradients, backwards by losses, steps."""

    seed: int = 0
    networks: dict[str, nn.Module] = field(default_factory=dict)
    own: list[dict[Tensor, Tensor]] = field(default_factory=list)
    born: dict[Any, int] = field(default_factory=dict)
    backwards: list[tuple[int, ...]] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    free: list[torch.optim.Optimizer] = field(default_factory=list)
    met: dict[tuple[Role, str], object] = field(default_factory=dict)
    optimizers: list[torch.optim.Optimizer] = field(default_factory=list)
    open: bool = False
    varies: bool = False

    def __post_init__(self) -> None:
        torch.manual_seed(self.seed)

    # ---------------------------------------------------------------------------------- the protocol

    def meet(self, role: Role, name: str) -> object:
        """One like it."""
        if (role, name) not in self.met:
            self.met[role, name] = self._met(role, name)
        return self.met[role, name]

    def _met(self, role: Role, name: str) -> object:
        if role is Role.MODEL:
            return self._network(name)
        if role is Role.OPTIMIZER:
            return self._of_nobody(name)
        if role is Role.SCALER:
            return torch.amp.GradScaler("cpu", init_scale=SCALE, growth_interval=10**6)
        if role is Role.CRITERION:
            return Criterion()
        if role in (Role.LOADER, Role.SCHEDULER, Role.SAMPLER):
            return Plain(name)
        return None

    def draw(self, name: str, moment: Hashable) -> Drawn:
        """A number between 1.5 and 3.5, by name and moment."""
        number = random.Random(f"{self.seed} {name} {moment}").random()
        return Drawn.of(1.5 + 2 * number, varies=moment != ())

    def answer(self, question: Question, of: object) -> None:
        """A single process, in which every step is taken: as on paper."""

    def carry_out(self, act: Act) -> object:
        """By operation."""
        if act.operation is None:
            return self._out_of_sight(act)
        done = _DONE.get(act.operation)
        if done is None:
            raise Uncarried(f"{act.operation.name}: {act.name}")
        try:
            return done(self, act)
        except (RuntimeError, AssertionError) as error:
            raise Refused(f"{act.name}: {error}") from error
        except (TypeError, ValueError, IndexError, AttributeError) as error:
            raise Uncarried(f"{act.name}: {error}") from error

    # -------------------------------------------------------------------------------------- objects

    def _network(self, name: str) -> Net:
        made = Net()
        self.networks[f"{name} {len(self.networks)}"] = made
        for optimizer in self.free:
            optimizer.add_param_group({"params": list(made.parameters())})
        return made

    def _of_nobody(self, name: str) -> torch.optim.Optimizer:
        """An optimizer that nobody saw being made has all parameters, unless there are several such."""
        if self.free:
            raise Uncarried("two optimizers that nobody saw being made")
        known = [one for network in self.networks.values() for one in network.parameters()]
        made = self._measured(torch.optim.SGD(known or [torch.zeros(1, dtype=FULL)], lr=1e-3), name)
        self.free.append(made)
        return made

    def _measured(self, optimizer: torch.optim.Optimizer, name: str) -> torch.optim.Optimizer:
        self.optimizers.append(optimizer)
        optimizer.register_step_pre_hook(lambda *_: self._measure(optimizer, name))
        return optimizer

    def _make(self, act: Act) -> object:
        last = act.name.rpartition(".")[2]
        kind = getattr(torch.optim, last, None)
        if act.role is Role.SCALER:
            enabled = act.keywords.get("enabled", True) is not False
            return torch.amp.GradScaler("cpu", init_scale=SCALE, growth_interval=10**6, enabled=enabled)
        if isinstance(kind, type) and issubclass(kind, torch.optim.Optimizer):
            if kind is torch.optim.LBFGS:
                raise Uncarried("LBFGS")
            owned = parameters_in(act.arguments[0] if act.arguments else act.keywords.get("params"))
            return self._measured(kind(owned, lr=1e-3), f"{last} {len(self.steps)}")
        if act.role is Role.CRITERION:
            return Criterion(str(act.keywords.get("reduction", "mean")))
        if act.role in (Role.SCHEDULER, Role.LOADER, Role.SAMPLER, Role.EMA):
            return Plain(last)
        raise Uncarried(f"an object of {act.name}")

    def _copy(self, act: Act) -> object:
        made = copy.deepcopy(act.arguments[0])
        if isinstance(made, nn.Module):
            self.networks[f"copy {len(self.networks)}"] = made
        return made

    def _hand_out(self, act: Act) -> object:
        if any(isinstance(one, Named) for one in act.arguments):
            return None  # some of them, and nobody can say which
        return parameters_in([act.receiver, *act.arguments] if act.receiver is not None else list(act.arguments))

    def _free(self, act: Act) -> object:
        flag = act.arguments[0] if act.arguments else act.keywords.get("requires_grad", True)
        for one in parameters_in(act.receiver):
            one.requires_grad_(bool(flag))
        return act.receiver

    # --------------------------------------------------------------------------------------- losses

    def _forward(self, act: Act) -> object:
        if isinstance(act.receiver, nn.Module):
            return self._output(act.receiver, (*act.arguments, *act.keywords.values()))
        if isinstance(act.receiver, Criterion):
            return self._loss(act, act.receiver.reduction)
        raise Uncarried(f"a forward of {act.receiver}")

    def _output(self, network: nn.Module, given: Iterable[Given]) -> Output:
        """What a network makes of fresh data, and of what other networks gave, which is added in other directions."""
        data = TINY * torch.randn(SAMPLES, WIDTH, dtype=FULL)
        for one in given:
            if isinstance(one, Output):
                data = data + one.samples[:, None] * torch.randn(WIDTH, dtype=FULL)
        return Output(network(data))

    def _loss(self, act: Act, reduction: str) -> object:
        """A loss of the first output that is given, against a target of its own."""
        given = [one for one in (*act.arguments, *act.keywords.values()) if isinstance(one, Output)]
        if not given:
            raise Uncarried(f"a loss of nothing that is known: {act.name}")
        errors = mixed(given)
        if reduction not in ("mean", "batchmean", "sum"):
            return errors
        return self._bear(errors.samples.sum() if reduction == "sum" else errors.samples.mean())

    def _bear(self, loss: Tensor) -> Tensor:
        """A loss is born: from here on its own gradient is known."""
        if loss.requires_grad:
            parameters = [one for network in self.networks.values() for one in network.parameters()]
            parameters = [one for one in parameters if one.requires_grad]
            try:
                found = torch.autograd.grad(loss, parameters, retain_graph=True, allow_unused=True)
            except RuntimeError:  # its graph is gone: it is only looked at
                return loss.detach()
            pairs = zip(parameters, found, strict=True)
            self.born[loss.grad_fn] = len(self.own)
            self.own.append({one: gradient for one, gradient in pairs if gradient is not None})
        return loss

    def number(self, value: Given) -> Any:
        """What is computed with: an output that nobody has made a loss of is the model's own."""
        if isinstance(value, Output):
            if value.loss is None and value.tree is not None:
                op, left, right = value.tree
                value.loss = self._weighed(op, self.number(left), self.number(right))
            if value.loss is None:
                value.loss = self._bear(mixed([value]).samples.mean())
            return value.loss
        if isinstance(value, (Named, Plain)):
            raise Uncarried(f"arithmetic with {value.name}")
        return float(value) if isinstance(value, Fraction) else value

    def _weighed(self, op: str, left: Any, right: Any) -> Any:
        """A loss computed with, and a note of numbers that nobody knows in its weight."""
        drawn = [one for one in (left, right) if isinstance(one, Drawn)]
        if op.rstrip("=") in "*/" and drawn and any(isinstance(one, Tensor) for one in (left, right)):
            self.open, self.varies = True, self.varies or any(one.varies for one in drawn)
        return OPERATORS[op](left, right)

    def _reduced(self, value: Given, how: str) -> Any:
        """The loss of some samples; a number that multiplies all of them is none of its own, terms are losses each."""
        if isinstance(value, Output) and value.tree is not None:
            op, left, right = value.tree
            sign = op.rstrip("=")
            several = sign in "+-" and isinstance(left, Output) and isinstance(right, Output)
            scaled = (sign in "*/" and is_known(right)) or (sign == "*" and is_known(left))
            if several or scaled:
                return OPERATORS[sign](self._reduced(left, how), self._reduced(right, how))
        return self._bear(getattr(mixed([value]).samples, how)()) if isinstance(value, Output) else self.number(value)

    def _compute(self, act: Act) -> object:
        last = act.name.rpartition(".")[2]
        if act.name in OPERATORS:
            return self._operator(act)
        if act.name in ("[]", "."):
            return self._part_of(act.receiver, str(act.arguments[0])) if isinstance(act.receiver, Net) else _part(act)
        whole = act.arguments[0] if act.receiver is None and act.arguments else act.receiver
        if last in _REDUCTIONS and isinstance(whole, Output):
            along = len(act.arguments) > (act.receiver is None) or act.keywords
            return whole.part((last, act.arguments[1:])) if along else self._reduced(whole, _REDUCTIONS[last])
        return self._function(act, last, whole) if act.receiver is None else self._method(act)

    def _function(self, act: Act, last: str, whole: Any) -> object:
        """A function of torch or Python."""
        if last in ("sum", "stack") and not isinstance(whole, (list, tuple)):
            return None
        if last == "sum":
            return sum(self.number(one) for one in whole)
        if last == "stack":
            return self._stacked(whole)
        if last in ("mean", "div", "mul", "abs", "add"):
            return getattr(torch, last)(*map(self.number, act.arguments))
        if last in ("float", "int", "max", "min", "round"):
            numbers = [self.number(one) for one in act.arguments]
            return getattr(builtins, last)(*(one.item() if isinstance(one, Tensor) else one for one in numbers))
        if "loss" in last or last in ("cross_entropy", "binary_cross_entropy", "kl_div"):
            return self._loss(act, str(act.keywords.get("reduction", "mean")))
        return self._out_of_sight(act)

    def _stacked(self, items: Sequence[Given]) -> object:
        """Losses in a row, or outputs: something of all of them for each sample."""
        if items and all(isinstance(one, Output) for one in items):
            return mixed([one for one in items if isinstance(one, Output)])
        return torch.stack(list(items)) if all(isinstance(one, Tensor) for one in items) else None

    def _operator(self, act: Act) -> object:
        left, right = act.receiver, act.arguments[0]
        sides = (left, right)
        if any(isinstance(one, (Named, Plain)) for one in sides):
            return None
        left, right = (float(one) if isinstance(one, Fraction) else one for one in sides)
        if isinstance(left, Output) and act.name.endswith("="):
            return left.become(act.name[:-1], right)
        if any(isinstance(one, Output) for one in sides) and not any(isinstance(one, Tensor) for one in sides):
            return operated(act.name.rstrip("="), left, right)
        try:
            made = self._weighed(act.name, self.number(left), self.number(right))
        except (ZeroDivisionError, OverflowError, TypeError):
            return None
        if act.name == "/" and isinstance(right, Size) and isinstance(left, Tensor):
            return self._bear(made)
        drawn = isinstance(made, float) and any(isinstance(one, Drawn) for one in sides)
        varies = any(isinstance(one, Drawn) and one.varies for one in sides)
        return Drawn.of(made, varies=varies) if drawn else made

    def _method(self, act: Act) -> object:
        if act.name in _SAME:
            return act.receiver
        if act.name == "register_hook":
            raise Uncarried("a hook on gradients")
        if isinstance(act.receiver, (Plain, Named, nn.Module, torch.optim.Optimizer)):
            return None
        if isinstance(act.receiver, (Output, Tensor)) and act.name in _SIZES:
            return Size(SAMPLES)
        if act.name.rstrip("_") in _BY_NAME and act.arguments:
            op = _BY_NAME[act.name.rstrip("_")] + "=" * act.name.endswith("_")
            return self._operator(replace(act, name=op))
        value = act.receiver
        if isinstance(value, Output):
            return value.samples.mean().item() if act.name == "item" else value.part(act.name)
        if isinstance(value, Tensor) and act.name in _METHODS:
            return getattr(value, act.name)(*map(self.number, act.arguments))
        return None

    def _part_of(self, whole: Net, name: str) -> Net:
        """A part of a network: whoever has the whole has it, too."""
        part = whole.part(name)
        for optimizer in self.optimizers:
            owned = {id(one) for one in parameters_in(optimizer)}
            fresh = [one for one in part.parameters() if id(one) not in owned]
            if id(whole.own.weight) in owned and fresh:
                optimizer.add_param_group({"params": fresh})
        return part

    def _out_of_sight(self, act: Act) -> object:
        """A function that nobody sees gives an output of what it is given, as a network does."""
        if act.name == "register_hook":
            raise Uncarried("a hook on gradients")
        if act.name == ".=":
            name, part = act.arguments
            return act.receiver.put(name, part) if isinstance(act.receiver, Net) and isinstance(part, Net) else None
        told = [act.receiver, *act.arguments, *act.keywords.values()]
        told = [inner for one in told for inner in (one if isinstance(one, (list, tuple)) else [one])]
        outputs = [one for one in told if isinstance(one, Output)]
        networks = [one for one in told if isinstance(one, Net)]
        if act.name.rpartition(".")[2][:1].isupper():
            return self._of_parts(networks) if act.name.startswith(("torch.nn.", "nn.")) and networks else None
        outputs += [self._output(one, outputs) for one in networks]
        made = [one.part((act.name, len(told))) for one in outputs]
        return Output(sum(one.samples for one in made)) if made else None

    def _of_parts(self, networks: Sequence[Net]) -> Net:
        """`nn.Sequential(encoder, head)`."""
        made = self._network("Sequential")
        for number, one in enumerate(networks):
            made.put(str(number), one)
        return made

    # ------------------------------------------------------------------------------------ gradients

    def _backward(self, act: Act) -> None:
        loss = self.number(act.arguments[0] if act.receiver is None else act.receiver)
        if isinstance(loss, (list, tuple)):
            loss = self.number(loss[-1])
        if not isinstance(loss, Tensor):
            raise Uncarried(f"a backward of {loss}")
        if act.keywords.get("inputs") is not None or len(act.arguments) > (act.receiver is None):
            raise Uncarried("a backward with a gradient of its own")
        if loss.grad_fn is None:
            raise Uncarried("a backward of what has no graph")
        self.backwards.append(tuple(sorted({self.born[one] for one in behind(loss.grad_fn, self.born)})))
        loss.backward(retain_graph=act.keywords.get("retain_graph") is True)

    def _clear(self, act: Act) -> None:
        if isinstance(act.receiver, (nn.Module, torch.optim.Optimizer)):
            act.receiver.zero_grad()
            return
        for one in parameters_in(act.receiver):
            one.grad = None

    def _clip(self, act: Act) -> object:
        if act.receiver is not None or not act.arguments:
            raise Uncarried(f"a clip by {act.name}")
        parameters = parameters_in(act.arguments[0])
        return torch.nn.utils.clip_grad_norm_(parameters, 1.0)

    def _write(self, act: Act) -> None:
        if act.name != "scale" or not act.arguments:
            raise Uncarried(f"gradients that are written by hand: {act.name}")
        for one in parameters_in(act.receiver):
            if one.grad is not None:
                one.grad *= self.number(act.arguments[0])

    def _scale(self, act: Act) -> object:
        return scaler_of(act).scale(self.number(act.arguments[0]))

    def _unscale(self, act: Act) -> None:
        scaler_of(act).unscale_(optimizer_of(act.arguments[0]))

    def _scaled_step(self, act: Act) -> None:
        scaler_of(act).step(optimizer_of(act.arguments[0]))

    def _adapt(self, act: Act) -> None:
        scaler_of(act).update()

    def _step(self, act: Act) -> None:
        optimizer_of(act.receiver).step()

    def _measure(self, optimizer: torch.optim.Optimizer, name: str) -> None:
        """The gradient that an optimizer is given, as a sum of the losses' own."""
        owned = [one for group in optimizer.param_groups for one in group["params"]]
        given = flat(owned, {one: one.grad for one in owned if one.grad is not None})
        columns = {number: flat(owned, own) for number, own in enumerate(self.own)}
        known = {number: column for number, column in columns.items() if column.norm() > 0}
        weights: dict[int, float] = {}
        if known:
            matrix = torch.stack([column / column.norm() for column in known.values()], dim=1)
            if int(torch.linalg.matrix_rank(matrix)) < len(known):
                raise Uncarried("losses whose gradients depend on each other")
            found = torch.linalg.lstsq(matrix, given[:, None], driver="gelsd").solution
            rest = given - (matrix @ found)[:, 0]
            if rest.norm() > 1e-6 * max(given.norm(), 1e-30):
                raise Uncarried("a gradient that is no sum of the losses' own")
            sizes = [float(column.norm()) for column in known.values()]
            weights = {
                number: float(value) / size for number, value, size in zip(known, found[:, 0], sizes, strict=True)
            }
        self.steps.append(Step(f"{name} {id(optimizer)}", len(self.backwards), weights))


_REDUCTIONS = {"mean": "mean", "nanmean": "mean", "sum": "sum"}
_SAME = frozenset(
    "to float half double cuda cpu type bfloat16 type_as contiguous view reshape squeeze unsqueeze flatten clone"
    " requires_grad_ retain_grad".split()
)
_METHODS = frozenset("mean sum item detach abs neg".split())
_BY_NAME = {"div": "/", "divide": "/", "true_divide": "/", "mul": "*", "multiply": "*", "add": "+", "sub": "-"}
_SIZES = frozenset("numel nelement size".split())


def _part(act: Act) -> object:
    (which,) = act.arguments
    whole = act.receiver
    if isinstance(whole, Output):
        return whole.part(which if isinstance(which, (int, str)) else str(which))
    if act.name == "[]" and isinstance(whole, (Tensor, list, tuple)) and isinstance(which, int):
        return whole[which]
    return None


def _context(witness: TorchWitness, act: Act) -> object:
    if act.name in ("__enter__", "__exit__"):
        left = () if act.name == "__enter__" else (None, None, None)
        getattr(act.receiver, act.name)(*left)
        return None
    return torch.no_grad() if act.name.endswith(("no_grad", "inference_mode")) else nullcontext()


def _first(witness: TorchWitness, act: Act) -> object:
    return act.arguments[0] if act.arguments else act.keywords.get("module")


def _mode(witness: TorchWitness, act: Act) -> object:
    return act.receiver


def _hook(witness: TorchWitness, act: Act) -> None:
    """The machine calls hooks of steps itself; what a framework prepares is its own."""
    if not act.name.startswith("register_step"):
        raise Uncarried(f"what is prepared by {act.name}")


def _nothing(witness: TorchWitness, act: Act) -> None:
    """It changes no gradient."""


_DONE: Mapping[Operation, Callable[[TorchWitness, Act], object]] = {
    Operation.MAKE: TorchWitness._make,
    Operation.WRAP: _first,
    Operation.FORWARD: TorchWitness._forward,
    Operation.BACKWARD: TorchWitness._backward,
    Operation.ARITHMETIC: TorchWitness._compute,
    Operation.ZERO: TorchWitness._clear,
    Operation.WRITE: TorchWitness._write,
    Operation.CLIP: TorchWitness._clip,
    Operation.SCALE: TorchWitness._scale,
    Operation.UNSCALE: TorchWitness._unscale,
    Operation.SCALED_STEP: TorchWitness._scaled_step,
    Operation.ADAPT: TorchWitness._adapt,
    Operation.STEP: TorchWitness._step,
    Operation.COPY: TorchWitness._copy,
    Operation.PARAMETERS: TorchWitness._hand_out,
    Operation.FREEZE: TorchWitness._free,
    Operation.MODE: _mode,
    Operation.CONTEXT: _context,
    Operation.PREPARE: _hook,
    **dict.fromkeys((Operation.SCHEDULE, Operation.AVERAGE, Operation.EPOCH, Operation.BATCH), _nothing),
    **dict.fromkeys((Operation.SYNC, Operation.ASK), _nothing),
}
