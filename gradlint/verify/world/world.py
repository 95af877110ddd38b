"""The books of one run: every backward is a column, every optimizer step a measured row."""

from __future__ import annotations

import gc
import math
import weakref
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from gradlint.verify.machine.values import Scale
from gradlint.verify.reasons import InconclusiveError, Reason
from gradlint.verify.record import INF, Clip, Column, Record, Rewritten, Update
from gradlint.verify.windows import fold
from gradlint.verify.world.distributed import mean_of_ranks
from gradlint.verify.world.live import Live, Origin, Part, divided, merge
from gradlint.verify.world.measure import Measured, least_squares
from gradlint.verify.world.net import FEATURES, OUTPUTS, SAMPLES
from gradlint.verify.world.optim import Optimizer
from gradlint.verify.world.parameters import held
from gradlint.verify.world.plan import Plan

if TYPE_CHECKING:
    from gradlint.verify.machine.values import Value
    from gradlint.verify.world.model import Model
    from gradlint.verify.world.optim import Sampler, Scaler

MOST_COLUMNS = 700
SUSPICIOUS = 3


@dataclass(frozen=True)
class Through:
    """A backward that a library runs: what it divides by, and whether it scales."""

    run: Callable[[Tensor], None]
    divisor: float
    scaled: bool

    def booked(self, live: Live) -> Live:
        """The loss as the books have it."""
        weighted = divided(live, self.divisor, knob=True) if self.divisor != 1 else live
        return replace(weighted, scaled=live.scaled or self.scaled)


class EnoughError(Exception):
    """The loop has shown what it does; an endless one stops here."""


class _Token:
    """Something a weak reference can watch."""


@dataclass
class Book:
    """What is kept for one optimizer between two steps."""

    since: int = 0
    clips: list[Clip] = field(default_factory=list)
    reductions: int = 0
    moves: int = 0
    updates: int = 0
    all_moves: int = 0
    wiped: bool = False


class World:
    """One run. `row` is the line being walked; `turn` and `epoch` number the batch and the pass over the loader."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.record = Record(regime=plan.regime, window=plan.window)
        self.generator = torch.Generator().manual_seed(plan.seed * 1000 + plan.rank + 1)
        self.shared = torch.Generator().manual_seed(plan.seed + 77)
        self.device = plan.device
        self.dtype = torch.float64 if plan.device == "cpu" else torch.float32
        self.row = self.turn = self.epoch = 0
        self.apply: Callable[[Value, list[Value]], Value] = lambda target, args: None
        self.share = 0.0
        self.loop_depth = 0
        self.models: list[Model] = []
        self.optimizers: list[Optimizer] = []
        self.scalers: list[Scaler] = []
        self.samplers: list[Sampler] = []
        self.gradients: list[dict[int, Tensor]] = []
        self.books: dict[int, Book] = {}
        self.reductions = 0
        self.no_sync = 0
        self.sites: dict[int, int] = {}
        self.tokens: list[tuple[int, weakref.ref[_Token]]] = []
        self.stack: list[int] = []
        self.given: list[tuple[list[Tensor], Tensor]] = []
        self.hollow = False
        self.zeroed: dict[int, int] = {}
        self.clears = 0
        self.passed_clear = False
        self.accelerated = False
        self.calls: set[tuple[int, int]] = set()
        self.functions: set[int] = set()
        self.ways: set[tuple[int, int, bool]] = set()
        self.used: dict[int, tuple[int, bool]] = {}
        self.outputs: list[tuple[Tensor, ...]] = []

    # ------------------------------------------------------------------ forward

    def sample(self, rows: int, columns: int) -> Tensor:
        """Fresh numbers from the one seed."""
        values = torch.randn(rows, columns, generator=self.generator, dtype=torch.float64)
        return values.to(device=self.device, dtype=self.dtype)

    def forward(self, models: Sequence[Model], lives: Sequence[Live] = ()) -> Live:
        """Run models on fresh data; the loss of their outputs is the raw loss until the loop makes another."""
        if self.plan.pool:
            models = list(dict.fromkeys([*models, *self.everything()]))
            self.hollow = True
        outputs = [output for model in models for output in model.run(self.sample(SAMPLES, FEATURES))]
        mine = [model for model in models if self._trains(model)] or models
        training = all(model.training for model in mine)
        if torch.is_grad_enabled() and models:
            self.record.train_forwards += training
            self.record.eval_forwards += not training
        elif training and self.loop_depth and any(self._trains(model) for model in models):
            self.record.cached = True  # outputs are kept for later, and each loss may be one of the whole batch
        every = (*outputs, *(output for live in lives for output in live.outputs))
        return self._live(tuple(every), training and all(live.origin.training for live in lives))

    def _trains(self, model: Model) -> bool:
        """Whether an optimizer owns any of its parameters: the mode of others (a frozen judge) is their own affair."""
        return any(one.owns(model) for one in self.optimizers)

    def loss_of(self, lives: Sequence[Live]) -> Live:
        """A new raw loss of everything the values depend on: some function of them that is not linear."""
        outputs = tuple(dict.fromkeys(output for live in lives for output in live.outputs))
        training = all(live.origin.training for live in lives)
        first = min(lives, key=lambda live: live.origin.turn)
        made = self._live(outputs, training)
        last = max((live.origin for live in lives), key=lambda one: one.turn)
        made.origin = Origin(last.turn, last.epoch, training, first.origin.in_no_sync, last.dtype or made.origin.dtype)
        if any(part.divisors or not part.known for live in lives for part in live.parts):
            made.parts = tuple(Part(p.raw, p.divisors, known=False) for p in made.parts)
        made.scaled = any(live.scaled for live in lives)
        return made

    def _live(self, outputs: tuple[Tensor, ...], training: bool) -> Live:
        total: Tensor | None = None
        for output in outputs:
            target = self.sample(SAMPLES, OUTPUTS)
            one = (output.to(self.dtype) - target).square().mean() * self.plan.boost
            total = one if total is None else total + one
        if total is None:
            total = torch.zeros((), dtype=self.dtype, device=self.device)
        kind = "cuda" if self.device.startswith("cuda") else "cpu"
        dtype = str(torch.get_autocast_dtype(kind)) if torch.is_autocast_enabled(kind) else ""
        origin = Origin(self.turn, self.epoch, training, self.no_sync > 0, dtype)
        return Live(self, total, (Part(total),), outputs, origin)

    def everything(self) -> list[Model]:
        """All models that train: those whose parameters some optimizer owns, else all."""
        owned = {id(p) for optimizer in self.optimizers for p in optimizer.parameters}
        mine = [model for model in self.models if not model.whole and any(id(p) in owned for p in model.own())]
        return mine or [model for model in self.models if not model.whole]

    # ------------------------------------------------------------------ backward

    def backward(self, live: Live, through: Through | None = None, *, kept: bool | None = None) -> None:
        """Add a micro-batch to the books, then run the real backward, or a library's; `kept`: is its graph."""
        if not live.value.requires_grad:
            raise InconclusiveError(Reason.SURROGATE, f"line {self.row}: the loss has no graph")
        if len(self.record.columns) > MOST_COLUMNS:
            raise EnoughError
        if self.share:
            live = divided(live, self.share, knob=True)
        self.record.backwards += 1
        numbers = self._columns(through.booked(live) if through is not None else live)
        before = self.reductions
        value = live.value
        if self.plan.regime == INF and numbers[0] == self.plan.infinite_at:
            value = value * float("inf")
        self._watch(live.value)
        self._freed(live, kept)
        with torch.enable_grad():
            if through is not None:
                through.run(value)
            else:
                value.backward(retain_graph=True)  # type: ignore[no-untyped-call]
        for number in numbers:
            self.record.columns[number].synced = self.reductions - before
            self.record.columns[number].library = through.divisor if through is not None else 1.0
        self.sites[self.row] = self.sites.get(self.row, 0) + 1

    def _columns(self, live: Live) -> list[int]:
        parameters = [p for model in self.models for p in model.own() if p.requires_grad]
        parameters = list(dict.fromkeys(parameters))
        kind = "cuda" if self.device.startswith("cuda") else "cpu"
        numbers = []
        for part in merge(live.parts):
            found = torch.autograd.grad(part.raw, parameters, retain_graph=True, allow_unused=True)
            if self.record.distributed and self.plan.ranks > 1:
                found = mean_of_ranks(found)
            pairs: Any = zip(parameters, found, strict=True)  # None where the loss does not reach
            self.gradients.append({id(p): g.detach().clone() for p, g in pairs if g is not None})
            numbers.append(len(self.record.columns))
            self.record.columns.append(
                Column(
                    row=self.row,
                    site=">".join(map(str, (*self.stack, self.row))),
                    turn=live.origin.turn,
                    epoch=live.origin.epoch,
                    divisors=part.divisors,
                    known=part.known,
                    knob=part.knob,
                    knobs=part.knobs,
                    scaled=live.scaled,
                    autocast=torch.is_autocast_enabled(kind),
                    dtype=live.origin.dtype,
                    training=live.origin.training,
                    in_no_sync=self.no_sync > 0,
                    forward_in_no_sync=live.origin.in_no_sync,
                )
            )
        self.record.loop_depth = max(self.record.loop_depth, self.loop_depth)
        return numbers

    def by_hand(self) -> None:
        """Weights are changed with their gradient, without an optimizer's step: what is in it has been spent."""
        self.notes("weights are changed by hand with their gradient")
        since = min((book.since for book in self.books.values()), default=0)
        sites = {column.site for column in self.record.columns[since:]}
        self.record.by_hand = sorted({*self.record.by_hand, *sites})

    def _freed(self, live: Live, kept: bool | None) -> None:
        """Torch frees the graph of a forward with its first backward; the stand-ins keep it, and say where it is used.

        Where a forward is used again without `retain_graph`, the source would raise, or it was no forward: a
        constructor was taken for it, or what carries it over is out of sight.
        """
        outputs = [one for one in live.outputs if one.requires_grad]
        for one in outputs:
            turn, freed = self.used.get(id(one), (self.turn, False))
            if freed or turn != self.turn:
                self.record.reused = self.record.reused or self.row
        if not kept:
            self.used.update({id(one): (self.turn, kept is False) for one in outputs})
            self.outputs.append(live.outputs)

    def _watch(self, loss: Tensor) -> None:
        if loss.grad_fn is not None:
            token = _Token()
            loss.grad_fn.register_hook(lambda *_, token=token: None)
            self.tokens.append((self.turn, weakref.ref(token)))

    # ------------------------------------------------------------------ steps

    def book(self, optimizer: Optimizer) -> Book:
        """The open book of an optimizer."""
        return self.books.setdefault(id(optimizer.real), Book())

    def opened(self, optimizer: Optimizer) -> None:
        """A new optimizer: what was accumulated before is none of its windows'."""
        self.optimizers.append(optimizer)
        self.books[id(optimizer.real)] = Book(since=len(self.gradients), reductions=self.reductions)

    def forget(self, optimizer: Optimizer) -> None:
        """It was none."""
        self.optimizers = [one for one in self.optimizers if one.real is not optimizer.real]

    def clearing(self, parameters: Iterable[Tensor]) -> None:
        """Gradients are about to be cleared: remember whose were not empty."""
        self.cleared(held(parameters))

    def cleared(self, parameters: Iterable[Tensor]) -> None:
        """Gradients that were not empty are gone."""
        self.clears += 1
        for one in self.owners(parameters):
            self.book(one).wiped = True

    def optimizer_of(self, path: str, parameters: list[Tensor]) -> Optimizer:
        """An optimizer that a library makes for parameters."""
        return Optimizer(self, path, parameters, lambda closure: self.apply(closure, []))

    def owners(self, parameters: Iterable[Tensor]) -> list[Optimizer]:
        """The optimizers that own any of the parameters."""
        wanted = {id(p) for p in parameters}
        return [one for one in self.optimizers if any(id(p) in wanted for p in one.parameters)]

    def clipped(
        self,
        parameters: list[Tensor],
        limit: float,
        *,
        by_value: bool = False,
        known: bool = True,
        sure: bool = True,
        run: Callable[[], Any] | None = None,
    ) -> float:
        """Clip for real and remember what the clip saw; parameters that are not known are those of one optimizer.

        A limit that is a multiple of the loss scale is remembered as what it means once the gradients are unscaled.

        `run` is a library's clip, which may unscale first: then it says what it saw.
        """
        sure = sure and (known or len(self.optimizers) == 1)
        if not known:
            parameters = list({id(p): p for one in self.optimizers for p in one.parameters}.values())
        norm = flat_norm(parameters)
        owners = self.owners(parameters) or self.optimizers
        fresh = min((self._fresh(one) for one in owners), default=0)
        spent = norm > 0 and fresh == 0 and any(self.book(one).updates for one in owners)
        by = self._open_scale() if isinstance(limit, Scale) else 1.0
        clip = Clip(self.row, limit / by, norm / by, len(parameters), spent, by_value, fresh, sure)
        self.record.clips.append(clip)
        for one in owners:
            self.book(one).clips.append(clip)
        if run is not None:
            seen = run()
            norm = float(seen) if isinstance(seen, Tensor) else norm
            clip.norm = norm / by
        elif by_value and parameters:
            torch.nn.utils.clip_grad_value_(parameters, limit)
        elif parameters:
            torch.nn.utils.clip_grad_norm_(parameters, limit)
        return norm

    def rewritten(self, parameter: Tensor) -> None:
        """A gradient is changed in place by what nobody can compute: how much it counts is no longer known."""
        for one in self.owners([parameter]):
            made = Rewritten(self.row, self._fresh(one), len(self.gradients), self._still_scaled(one))
            if made not in self.record.rewritten:
                self.record.rewritten.append(made)

    def _still_scaled(self, optimizer: Optimizer) -> bool:
        """Whether the loss scale is in the gradients: a scaled backward came, and nothing has unscaled them yet."""
        scaled = any(column.scaled for column in self.record.columns[self.book(optimizer).since :])
        faces = {id(optimizer.real), id(optimizer.face)}
        return scaled and not any(one.unscaled(face) for one in self.scalers for face in faces)

    def _fresh(self, optimizer: Optimizer) -> int:
        owned = {id(p) for p in optimizer.parameters}
        since = self.book(optimizer).since
        return sum(any(key in owned and bool(g.any()) for key, g in one.items()) for one in self.gradients[since:])

    def moved(self, optimizer: Optimizer | None, path: str = "") -> None:
        """A scheduler moved."""
        self.record.scheduler_moves += 1
        mine = [optimizer] if optimizer is not None else self.optimizers
        self.record.moves.append((path, max((self.book(one).updates for one in mine), default=0)))
        for one in mine:
            book = self.book(one)
            book.moves += 1
            book.all_moves += 1
            started = self.loop_depth > 0 or self.record.columns
            if not self.record.updates and not self.record.skipped_steps and started:
                self.record.moves_before_first_update += 1

    def consumed(self, optimizer: Optimizer) -> None:
        """Called right before an optimizer steps: measure what it is about to spend."""
        book = self.book(optimizer)
        given = torch.cat([_gradient(p).reshape(-1) for p in optimizer.parameters]).double()
        finite = bool(torch.isfinite(given).all())
        columns = [_column(optimizer.parameters, one) for one in self.gradients]
        feeding = [number for number, one in enumerate(columns) if one is not None]
        measured = Measured({}, 0.0)
        if finite and feeding and bool(given.any()):
            held = {n: c for n, c in enumerate(columns) if c is not None}
            measured = least_squares(given, held, self.dtype, self._faint(book.since))
        update = Update(
            optimizer=self._called(optimizer),
            row=self.row,
            backwards=len(columns),
            weights=measured.weights,
            feeds=tuple(number for number in feeding if number >= book.since),
            norm=float(given.norm()) if finite else math.inf,
            finite=finite,
            residual=measured.residual,
            dependent=measured.dependent,
            clips=tuple(book.clips),
            all_reduces=self.reductions - book.reductions,
            scheduler_moves=book.moves,
            live_losses=self._alive(),
            scale=self._open_scale(),
            wiped=book.wiped,
            peak=float(given.abs().max()) if finite else math.inf,
        )
        self.record.updates.append(update)
        self.given.append((list(optimizer.parameters), given))
        self.books[id(optimizer.real)] = Book(
            since=len(columns), reductions=self.reductions, updates=book.updates + 1, all_moves=book.all_moves
        )

    def _faint(self, since: int) -> frozenset[int]:
        """The columns of a window that were not scaled although there is a loss scale."""
        if self._open_scale() <= 1:
            return frozenset()
        columns = self.record.columns
        return frozenset(number for number in range(since, len(columns)) if not columns[number].scaled)

    def _alive(self) -> int:
        """Of how many batches a loss is alive. What only a cycle of the machine's own keeps is not."""
        alive = {turn for turn, token in self.tokens if token() is not None}
        if len(alive) < SUSPICIOUS:
            return len(alive)
        gc.collect()
        self.tokens = [one for one in self.tokens if one[1]() is not None]
        return len({turn for turn, _ in self.tokens})

    def _called(self, optimizer: Optimizer) -> str:
        """A name of its own: several optimizers of one list have one path."""
        same = [one for one in self.optimizers if one.path == optimizer.path]
        place = next((number for number, one in enumerate(same, 1) if one is optimizer), 0)
        return optimizer.path if len(same) < 2 else f"{optimizer.path} {place}"

    def _open_scale(self) -> float:
        return next((one.scale_now() for one in self.scalers if one.enabled), 1.0)

    def notes(self, text: str) -> None:
        """Something the report should say once."""
        if text not in self.record.notes:
            self.record.notes.append(text)

    def finish(self) -> Record:
        """Close the record: with all sites known, what each update should have consumed can be worked out."""
        windows = fold(self.record)
        for window in windows:
            parameters, given = self.given[window.number]
            reference = torch.zeros_like(given)
            for number, weight in window.meant().items():
                column = _column(parameters, self.gradients[number])
                if column is not None:
                    reference += weight * column
            size = float(reference.norm())
            window.update.reference_norm = size
            window.update.reference_error = float((given - reference).norm()) / (size or float(given.norm()) or 1.0)
        self.record.scale = self._open_scale()
        self.record.calls, self.record.functions = sorted(self.calls), sorted(self.functions)
        self.record.ways = sorted(self.ways)
        assumed = [one for one in self.optimizers if self._used(one) and (one.assumed or self.hollow)]
        self.record.assumed = [self._called(one) for one in assumed]
        self.record.guessed = self.hollow and sum(map(self._used, self.optimizers)) > 1
        self.record.untold = self._untold()
        self.record.passed_clear = self.passed_clear and not self.clears
        if self.record.guessed:
            self.record.uncleared = self._uncleared()
        return self.record

    def _used(self, optimizer: Optimizer) -> bool:
        """Whether it stepped or was cleared; one that only stands there takes no part in what is measured."""
        return id(optimizer.real) in self.zeroed or bool(self.book(optimizer).updates)

    def _untold(self) -> int:
        """The line of a sampler that shuffles and is never told the epoch, where no second pass would show it."""
        if self.record.orders or any(one.told for one in self.samplers):
            return 0
        return next((one.row for one in self.samplers if one.known and one.shuffle), 0)

    def _uncleared(self) -> str:
        """An optimizer that steps and is never cleared by itself, where others are and nothing else clears."""
        mine = sum(self.zeroed.values())
        if not mine or self.clears > mine:
            return ""
        left = (one for one in self.optimizers if self.book(one).updates and id(one.real) not in self.zeroed)
        return next((self._called(one) for one in left), "")


def _gradient(parameter: Tensor) -> Tensor:
    return torch.zeros_like(parameter) if parameter.grad is None else parameter.grad.detach()


def flat_norm(parameters: Iterable[Tensor]) -> float:
    """The norm of all gradients together; 0 where there are none."""
    squares = [float(p.grad.detach().double().square().sum()) for p in parameters if p.grad is not None]
    return math.sqrt(sum(squares)) if squares else 0.0


def _column(parameters: list[Tensor], gradient: dict[int, Tensor]) -> Tensor | None:
    pieces = [gradient.get(id(p)) for p in parameters]
    if not any(piece is not None and bool(piece.any()) for piece in pieces):
        return None
    flat = [
        torch.zeros_like(p).reshape(-1) if piece is None else piece.reshape(-1)
        for p, piece in zip(parameters, pieces, strict=True)
    ]
    return torch.cat(flat).double()
