"""A torch of a few objects that keeps accounts while the source of a loop is really executed.

Nothing here knows gradlint. A loss is a sum of terms, each a micro-batch with an exact factor;
`backward` puts them into the pools of the models they came through; a step spends what lies in
the pools of its optimizer. A distributed model decides in its forward whether its backward will
all-reduce, as DDP does.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import itertools
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from inspect import signature
from types import SimpleNamespace
from typing import Any

from interpret.accounts import Accounts, Clipped, Deed, Share, Spent

FILE = "<loop>"
Place = tuple[int, ...]


def exactly(value: object) -> Fraction:
    """The fraction that a number in a loop stands for: `1 / 3` is a third."""
    assert isinstance(value, (int, float, Fraction))
    return Fraction(value).limit_denominator(10_000)


@dataclass
class Gradient:
    """What one backward left in the pool of one model."""

    serial: int
    batch: Place
    row: int
    weight: Fraction | None
    scaled: bool
    synced: bool | None
    spent: bool = False

    @property
    def site(self) -> tuple[Place, int]:
        """Of which micro-batch, by which backward."""
        return self.batch, self.row


@dataclass
class Diary:
    """Everything since the last update of one optimizer."""

    wiped: list[Gradient] = field(default_factory=list)
    clips: list[tuple[int, tuple[Place, ...], bool]] = field(default_factory=list)
    zeros: list[int] = field(default_factory=list)
    unscales: list[int] = field(default_factory=list)
    scaler_updates: list[int] = field(default_factory=list)
    schedules: list[int] = field(default_factory=list)


@dataclass
class Update:
    """One step of one optimizer."""

    row: int
    consumed: list[Gradient]
    stale: list[Gradient]
    diary: Diary


class Reality:
    """One execution and all that was seen of it."""

    def __init__(self, batches: int) -> None:
        self.batches = batches
        self.deeds: list[Deed] = []
        self.optimizers: list[Optimizer] = []
        self.appeared: list[Place] = []
        self.serial = 0

    @staticmethod
    def row() -> int:
        """The row of the loop that is being executed."""
        frame = sys._getframe()
        while frame.f_code.co_filename != FILE:
            assert frame.f_back is not None
            frame = frame.f_back
        return frame.f_lineno

    def note(self, kind: str, subject: str) -> int:
        """Write a deed; returns its row."""
        row = self.row()
        self.deeds.append(Deed(kind, row, subject))
        return row

    def accounts(self) -> Accounts:
        """All that was seen, in the words that the dry run is compared in."""
        order = {batch: number for number, batch in enumerate(dict.fromkeys(self.appeared))}
        stepped = [deed.subject for deed in self.deeds if deed.kind == "step"]
        active = [item for item in self.optimizers if item.label in stepped]
        active.sort(key=lambda item: stepped.index(item.label))
        return Accounts(
            tuple(self.deeds),
            tuple(tuple(_spent(update, order) for update in item.updates) for item in active),
            tuple(tuple(order[grad.batch] for grad in item.grads() if not grad.spent) for item in active),
        )


def _spent(update: Update, order: Mapping[Place, int]) -> Spent:
    diary = update.diary
    return Spent(
        update.row,
        tuple(Share(order[grad.batch], grad.row, grad.weight, grad.scaled, grad.synced) for grad in update.consumed),
        tuple((order[grad.batch], grad.row) for grad in update.stale),
        tuple((order[grad.batch], grad.row) for grad in diary.wiped),
        tuple(Clipped(row, tuple(order[batch] for batch in batches), scaled) for row, batches, scaled in diary.clips),
        tuple(diary.zeros),
        tuple(diary.unscales),
        tuple(diary.scaler_updates),
        tuple(diary.schedules),
    )


# ------------------------------------------------------------------------- data and losses


@dataclass(frozen=True)
class Batch:
    """A micro-batch; it can be unpacked, indexed and cut into chunks."""

    place: Place

    def __iter__(self) -> Iterator[Batch]:
        return iter((self, self))

    def __getitem__(self, index: int) -> Batch:
        return Batch((*self.place, index))

    def chunk(self, count: int) -> list[Batch]:
        """So many pieces."""
        return [self[number] for number in range(count)]

    def to(self, _device: object) -> Batch:
        """The same."""
        return self

    cuda = detach = to


class Loader:
    """As many batches as the dry run lets a loader have."""

    def __init__(self, reality: Reality) -> None:
        self.reality = reality
        self.epochs = 0
        self.last = False

    def __len__(self) -> int:
        return self.reality.batches

    def __iter__(self) -> Iterator[Batch]:
        epoch, self.epochs = self.epochs, self.epochs + 1
        for number in range(len(self)):
            self.last = number == len(self) - 1
            yield Batch((epoch, number))


@dataclass(frozen=True)
class Term:
    """A micro-batch in a loss; `loud` says that its forward was not in `no_sync`."""

    batch: Place
    weight: Fraction
    models: frozenset[Model]
    loud: bool | None


class Tensor:
    """An output or a loss."""

    def __init__(self, reality: Reality, terms: tuple[Term, ...], scaled: bool = False) -> None:
        self.reality = reality
        self.terms = terms
        self.scaled = scaled

    def times(self, factor: Fraction) -> Tensor:
        """The same under a factor."""
        terms = tuple(replace(term, weight=term.weight * factor) for term in self.terms)
        return Tensor(self.reality, terms, self.scaled)

    def __mul__(self, other: object) -> Tensor:
        return self.times(exactly(other))

    __rmul__ = mul = __mul__

    def __truediv__(self, other: object) -> Tensor:
        return self.times(1 / exactly(other))

    div = __truediv__

    def become(self, other: Tensor) -> Tensor:
        """Change in place."""
        self.terms = other.terms
        return self

    def __imul__(self, other: object) -> Tensor:  # noqa: PYI034
        return self.become(self * other)

    def __itruediv__(self, other: object) -> Tensor:  # noqa: PYI034
        return self.become(self / other)

    mul_ = __imul__
    div_ = __itruediv__

    def __add__(self, other: Tensor | int) -> Tensor:
        terms = other.terms if isinstance(other, Tensor) else ()
        return Tensor(self.reality, self.terms + terms, self.scaled)

    __radd__ = __add__

    def mean(self) -> Tensor:
        """The same: a micro-batch weighs one."""
        return self

    float = clone = squeeze = mean

    def detach(self) -> Tensor:
        """The same data, without a graph."""
        terms = tuple(replace(term, models=frozenset(), loud=None) for term in self.terms)
        return Tensor(self.reality, terms)

    @staticmethod
    def item() -> float:
        """A number."""
        return 0.5

    def backward(self) -> None:
        """Every model on the way gets a gradient."""
        reality = self.reality
        row = reality.note("backward", "loss")
        reality.serial += 1
        weights = {term.weight for term in self.terms}
        weight = weights.pop() if len(weights) == 1 else None
        batch = self.terms[-1].batch
        heard = [term.loud for term in self.terms if term.loud is not None]
        synced = any(heard) if heard else None
        reality.appeared.append(batch)
        for model in dict.fromkeys(model for term in self.terms for model in term.models):
            model.pool.append(Gradient(reality.serial, batch, row, weight, self.scaled, synced))


# -------------------------------------------------------------------------------- objects


class Parameters:
    """The parameters of some models."""

    def __init__(self, *models: Model) -> None:
        self.models = models

    def __add__(self, other: Parameters) -> Parameters:
        return Parameters(*self.models, *other.models)

    def __iter__(self) -> Iterator[Parameter]:
        return iter([Parameter(model) for model in self.models])


class Parameter:
    """One parameter: all that a model has."""

    def __init__(self, model: Model) -> None:
        self.model = model

    @property
    def grad(self) -> Grad | None:
        """Its gradient, which can be multiplied in place."""
        return Grad(self.model) if self.model.pool else None

    @grad.setter
    def grad(self, changed: Grad) -> None:
        assert changed.model is self.model


@dataclass(frozen=True)
class Grad:
    """What lies in the pool of a model."""

    model: Model

    def times(self, factor: Fraction) -> Grad:
        """All of it, multiplied."""
        for gradient in self.model.pool:
            if gradient.weight is not None:
                gradient.weight *= factor
        return self

    def __itruediv__(self, other: object) -> Grad:  # noqa: PYI034
        return self.times(1 / exactly(other))

    def __imul__(self, other: object) -> Grad:  # noqa: PYI034
        return self.times(exactly(other))

    div_ = __itruediv__
    mul_ = __imul__


class Model:
    """A model; a distributed one shares the pool of the model it wraps."""

    def __init__(self, reality: Reality, label: str, inner: Model | None = None) -> None:
        self.reality = reality
        self.inner = inner
        self.label = label if inner is None else inner.label
        self.pool: list[Gradient] = [] if inner is None else inner.pool
        self.quiet = 0

    def __call__(self, *inputs: Batch | Tensor) -> Tensor:
        self.reality.note("forward", self.label)
        through = {self if self.inner is None else self.inner}
        terms = [term for part in inputs if isinstance(part, Tensor) for term in part.terms]
        loud = None if self.inner is None else not self.quiet
        models = frozenset(through.union(*(term.models for term in terms)))
        batches = [part.place for part in inputs if isinstance(part, Batch)]
        place = [*batches, *(term.batch for term in terms)][0]
        return Tensor(self.reality, (Term(place, Fraction(1), models, loud),))

    def parameters(self) -> Parameters:
        """Its parameters."""
        return Parameters(self if self.inner is None else self.inner)

    def train(self) -> Model:
        """Training mode."""
        self.reality.note("train mode", self.label)
        return self

    def zero_grad(self) -> None:
        """Clear the gradients of this model for whoever owns it."""
        row = self.reality.note("zero_grad", self.label)
        for optimizer in self.reality.optimizers:
            if (self if self.inner is None else self.inner) in optimizer.models:
                optimizer.clear(row)

    def cuda(self) -> Model:
        """The same."""
        return self

    @contextlib.contextmanager
    def no_sync(self) -> Iterator[None]:
        """Forwards inside will not all-reduce."""
        self.quiet += 1
        try:
            yield
        finally:
            self.quiet -= 1


class Optimizer:
    """Spends what lies in the pools of its models."""

    def __init__(self, reality: Reality, params: Parameters, label: str) -> None:
        self.reality = reality
        self.models = params.models
        self.label = label
        self.updates: list[Update] = []
        self.diary = Diary()
        self.accelerator: Accelerator | None = None
        reality.optimizers.append(self)

    def grads(self) -> list[Gradient]:
        """What lies in the pools, oldest first, every backward once."""
        found = {grad.serial: grad for model in self.models for grad in model.pool}
        return [found[serial] for serial in sorted(found)]

    def clear(self, row: int) -> None:
        """Empty the pools."""
        self.diary.zeros.append(row)
        self.diary.wiped += [grad for grad in self.grads() if not grad.spent]
        for model in self.models:
            model.pool.clear()

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the gradients, unless an accelerator forbids it."""
        if self.accelerator is None or self.accelerator.sync_gradients:
            self.clear(self.reality.note("zero_grad", self.label))

    def step(self) -> None:
        """Spend all that lies there, unless an accelerator forbids it."""
        if self.accelerator is not None and not self.accelerator.sync_gradients:
            return
        row = self.reality.note("step", self.label)
        grads = self.grads()
        consumed = [replace(grad) for grad in grads if not grad.spent]
        stale = [grad for grad in grads if grad.spent]
        self.updates.append(Update(row, consumed, stale, self.diary))
        self.diary = Diary()
        for model in self.models:
            for grad in model.pool:
                grad.spent = True

    def unscale(self) -> None:
        """Bring what lies there back to scale one."""
        for model in self.models:
            for grad in model.pool:
                grad.scaled = False


class Scaler:
    """A gradient scaler."""

    def __init__(self, reality: Reality, enabled: bool = True) -> None:
        self.reality = reality
        self.enabled = enabled

    def scale(self, loss: Tensor) -> Tensor:
        """The loss at another scale."""
        return Tensor(loss.reality, loss.terms, self.enabled)

    def unscale_(self, optimizer: Optimizer) -> None:
        """Back to scale one."""
        if self.enabled:
            row = self.reality.note("unscale", optimizer.label)
            optimizer.diary.unscales.append(row)
            optimizer.unscale()

    def step(self, optimizer: Optimizer) -> None:
        """Unscale what is scaled, and step."""
        optimizer.step()

    def update(self) -> None:
        """A new scale."""
        if self.enabled:
            row = self.reality.note("scaler update", "scaler")
            for optimizer in self.reality.optimizers:
                optimizer.diary.scaler_updates.append(row)

    def get_scale(self) -> float:
        """The scale."""
        return 65536.0


class Scheduler:
    """A schedule of one optimizer, or of nobody knows which."""

    def __init__(self, reality: Reality, label: str, optimizer: Optimizer | None) -> None:
        self.reality = reality
        self.label = label
        self.optimizer = optimizer
        self.accelerator: Accelerator | None = None

    def step(self) -> None:
        """The next rate, unless an accelerator forbids it."""
        if self.accelerator is not None and not self.accelerator.sync_gradients:
            return
        row = self.reality.note("scheduler step", self.label)
        for optimizer in self.reality.optimizers:
            if self.optimizer in (None, optimizer):
                optimizer.diary.schedules.append(row)


class Accelerator:
    """Accelerate: divides in `backward`, and lets what it prepared act at the end of a window."""

    def __init__(self, reality: Reality, gradient_accumulation_steps: int = 1) -> None:
        self.reality = reality
        self.gradient_accumulation_steps = gradient_accumulation_steps
        self.sync_gradients = True
        self.count = 0
        self.loader: Loader | None = None

    def prepare(self, *objects: Any) -> Any:
        """The same objects, under its rule."""
        for item in objects:
            if isinstance(item, Loader):
                self.loader = item
            elif isinstance(item, (Optimizer, Scheduler)):
                item.accelerator = self
        return objects[0] if len(objects) == 1 else objects

    @contextlib.contextmanager
    def accumulate(self, *_models: Model) -> Iterator[None]:
        """One micro-batch; a loader's last one ends the window."""
        if self.loader is not None and self.loader.last:
            self.count, self.sync_gradients = 0, True
        else:
            self.count += 1
            self.sync_gradients = self.count % self.gradient_accumulation_steps == 0
        yield

    def backward(self, loss: Tensor) -> None:
        """Divide, then backward."""
        (loss / self.gradient_accumulation_steps).backward()

    def clip_grad_norm_(self, params: Parameters, _max_norm: float) -> None:
        """Clip what is unscaled here and now."""
        clip(self.reality, params)


# ---------------------------------------------------------------------------- the library


def clip(reality: Reality, params: Parameters) -> None:
    """Clip whatever lies in the pools of these models."""
    row = reality.note("clip", "/".join(model.label for model in params.models))
    for optimizer in reality.optimizers:
        if set(params.models) & set(optimizer.models):
            live = [grad for grad in optimizer.grads() if not grad.spent]
            found = tuple(grad.batch for grad in live)
            scaled = any(grad.scaled for grad in live)
            optimizer.diary.clips.append((row, found, scaled))


def library(reality: Reality) -> dict[str, Any]:
    """The modules that a loop may import."""

    def clip_grad_norm_(params: Parameters, max_norm: float) -> float:
        clip(reality, params)
        return max_norm

    def optimizer(params: Parameters, lr: float) -> Optimizer:
        return Optimizer(reality, params, f"optimizer {len(reality.optimizers)}")

    def scheduler(held: Optimizer, step_size: int) -> Scheduler:
        return Scheduler(reality, f"scheduler of {held.label}", held)

    def scaler(enabled: bool = True) -> Scaler:
        return Scaler(reality, enabled)

    def parallel(model: Model) -> Model:
        return Model(reality, "", model)

    class Module(Model):
        def __init__(self) -> None:
            super().__init__(reality, type(self).__name__)

    amp = SimpleNamespace(GradScaler=scaler)
    utils = SimpleNamespace(clip_grad_norm_=clip_grad_norm_)
    distributed = SimpleNamespace(DistributedDataParallel=parallel)
    nn = SimpleNamespace(utils=utils, parallel=distributed, Module=Module)
    optim = SimpleNamespace(
        SGD=optimizer,
        AdamW=optimizer,
        Optimizer=Optimizer,
        lr_scheduler=SimpleNamespace(StepLR=scheduler, LRScheduler=Scheduler),
    )
    data = SimpleNamespace(DataLoader=lambda _dataset: Loader(reality))
    torch = SimpleNamespace(
        nn=nn,
        optim=optim,
        amp=amp,
        cuda=SimpleNamespace(amp=amp),
        utils=SimpleNamespace(data=data),
    )
    project = SimpleNamespace(
        loader=Loader(reality),
        dataset=[],
        model=Model(reality, "model"),
        net=Model(reality, "net"),
        encoder=Model(reality, "encoder"),
        decoder=Model(reality, "decoder"),
        generator=Model(reality, "generator"),
        discriminator=Model(reality, "discriminator"),
        criterion=lambda *values: values[0],
        log=lambda *_: None,
        epochs=2,
    )
    accelerate = SimpleNamespace(Accelerator=functools.partial(Accelerator, reality))
    return {
        "torch": torch,
        "accelerate": accelerate,
        "project": project,
        "contextlib": contextlib,
        "functools": functools,
        "itertools": itertools,
    }


def _importer(modules: Mapping[str, Any]) -> Callable[..., Any]:
    def load(name: str, _g: object = None, _l: object = None, wanted: object = (), _n: int = 0) -> Any:
        root, *rest = name.split(".")
        module = modules[root]
        if wanted:
            for part in rest:
                module = getattr(module, part)
        return module

    return load


# ---------------------------------------------------------------------------- the running


@dataclass(frozen=True)
class Entry:
    """How the outside runs a loop: which function, how often, who owns which model.

    `function` is empty for a script and `Class.method` for a method; `indexed` names the parameter
    that counts the calls of a function without a loop. `owners` maps a parameter that is an
    optimizer to the parameters that are its models; `wrapped` are parameters that are distributed.
    """

    function: str = ""
    calls: int = 1
    owners: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    indexed: str = ""


def execute(source: str, entry: Entry, *, batches: int, bindings: Mapping[str, object]) -> Accounts:
    """Run a loop for real.

    Args:
        source: the loop.
        entry: how the outside runs it.
        batches: the length of a loader.
        bindings: values of the parameters that are neither objects nor known to be numbers.
    """
    reality = Reality(batches)
    modules = library(reality)
    space: dict[str, Any] = {
        "__name__": "__main__",
        "__builtins__": {**vars(builtins), "__import__": _importer(modules)},
    }
    exec(compile(source, FILE, "exec"), space)  # the loop is a template of these tests
    if not entry.function:
        return reality.accounts()
    owner, _, name = entry.function.rpartition(".")
    stage = _Stage(reality, modules["project"], entry, bindings)
    target = getattr(stage.call(space[owner]), name) if owner else space[name]
    for number in range(entry.calls):
        stage.number = number
        stage.call(target)
    return reality.accounts()


class _Stage:
    """Finds an argument for every parameter by its name, the same one each time."""

    def __init__(self, reality: Reality, project: Any, entry: Entry, bindings: Mapping[str, object]) -> None:
        self.reality = reality
        self.project = project
        self.entry = entry
        self.bindings = bindings
        self.held: dict[str, Any] = {}
        self.number = 0
        self.data = Loader(reality)

    def call(self, function: Callable[..., Any]) -> Any:
        """Call with an argument for each parameter."""
        return function(*(self.argument(name) for name in signature(function).parameters))

    def argument(self, name: str) -> Any:
        """The argument for a parameter of that name."""
        if name == self.entry.indexed:
            return self.number
        if name == "batch":
            return Batch((0, self.number))
        if name not in self.held:
            self.held[name] = self._make(name)
        return self.held[name]

    def _make(self, name: str) -> Any:
        if name in self.entry.owners:
            models = [self.argument(model) for model in self.entry.owners[name]]
            return Optimizer(self.reality, Parameters(*models), name)
        if name.endswith("scheduler"):
            return Scheduler(self.reality, name, None)
        if name in self.bindings:
            return self.bindings[name]
        if name == "scaler":
            return Scaler(self.reality)
        if name == "accelerator":
            steps = self.bindings["accelerator.gradient_accumulation_steps"]
            return Accelerator(self.reality, int(str(steps)))
        return getattr(self.project, name)
