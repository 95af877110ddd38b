"""Hooks on torch, in the forked process: what optimizers, scalers, ranks and modes really did."""

from __future__ import annotations

import contextlib
import itertools
import weakref
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, final
from unittest import mock

import torch
import torch.distributed as dist
from torch import Tensor
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook
from torch.nn.modules import module as modules
from torch.nn.parallel import DistributedDataParallel
from torch.optim import optimizer as optimizers
from torch.utils._pytree import tree_leaves
from torch.utils.data import DistributedSampler

from harm.outcome import Floats, Modes, RankOutcome, Update

Original = Callable[..., Any]  # the method of torch that a wrapper stands in for


@dataclass
class Forward:
    """One outermost call of a module with gradients on."""

    modes: list[tuple[int, bool]] = field(default_factory=list)
    has_graph: bool = False
    used: bool = False


@final
class Recorder:
    """Watches torch while it is entered."""

    def __init__(self) -> None:
        self.patches = contextlib.ExitStack()
        self.optimizers: list[torch.optim.Optimizer] = []
        self.scalers: list[torch.amp.GradScaler] = []
        self.updates: list[Update] = []
        self.forwards: list[Forward] = []
        self.orders: list[tuple[int, ...]] = []
        self.undying: list[object] = []
        self.all_reduces = 0
        self.live = self.most_live = 0
        self._depth = 0
        self._numbers: weakref.WeakKeyDictionary[torch.nn.Module, int] = weakref.WeakKeyDictionary()
        self._next_number = itertools.count()

    def __enter__(self) -> Recorder:
        self._wrap(torch.optim.Optimizer, "__init__", self._optimizer_created)
        self._wrap(torch.amp.GradScaler, "__init__", self._scaler_created)
        self._wrap(torch.nn.Module, "__init__", self._module_created)
        self._wrap(DistributedDataParallel, "__init__", self._ddp_created)
        self._wrap(DistributedSampler, "__iter__", self._epoch_order)
        self._keep_groups()
        for handle in (
            modules.register_module_forward_pre_hook(self._forward_begins),
            modules.register_module_forward_hook(self._forward_ends, always_call=True),
            optimizers.register_optimizer_step_pre_hook(self._step_begins),
            optimizers.register_optimizer_step_post_hook(self._step_ends),
        ):
            self.patches.callback(handle.remove)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.patches.close()

    def outcome(self, returned: Any, error: str, printed: str) -> RankOutcome:
        """Everything seen, as plain data."""
        state, double = _state(returned)
        return RankOutcome(
            state=state,
            error=error,
            updates=tuple(self.updates),
            rates=tuple(map(_rates, self.optimizers)),
            scales=tuple(float(scaler.get_scale()) for scaler in self.scalers),
            modes=tuple(_modes(forward) for forward in self.forwards if forward.used),
            unused=sum(forward.has_graph and not forward.used for forward in self.forwards),
            graphs=self.most_live,
            printed=printed,
            orders=tuple(self.orders),
            double=double,
        )

    def _wrap(self, owner: object, name: str, replacement: Original) -> None:
        """Call `replacement(original, self, ...)` for every `owner.name(self, ...)`."""
        original = getattr(owner, name)

        def wrapper(obj: Any, *args: Any, **kwargs: Any) -> Any:
            return replacement(original, obj, *args, **kwargs)

        self.patches.enter_context(mock.patch.object(owner, name, wrapper))

    def _optimizer_created(self, original: Original, optimizer: Any, *args: Any, **kwargs: Any) -> None:
        original(optimizer, *args, **kwargs)
        self.optimizers.append(optimizer)

    def _scaler_created(self, original: Original, scaler: Any, *args: Any, **kwargs: Any) -> None:
        original(scaler, *args, **kwargs)
        self.scalers.append(scaler)

    def _module_created(self, original: Original, module: Any, *args: Any, **kwargs: Any) -> None:
        original(module, *args, **kwargs)
        self._number(module)

    def _number(self, module: torch.nn.Module) -> int:
        """By order of construction; copies get theirs when they are first called."""
        if module not in self._numbers:
            self._numbers[module] = next(self._next_number)
        return self._numbers[module]

    def _keep_groups(self) -> None:
        """Let no process group die in a run.

        Its end holds Python's lock and waits for gloo's thread, which may want that lock to drop what the last
        all-reduce was given: now and then a rank would hang.
        """
        original = dist.init_process_group

        def init(*args: Any, **kwargs: Any) -> None:
            original(*args, **kwargs)
            self.undying.append(dist.group.WORLD)

        self.patches.enter_context(mock.patch.object(dist, "init_process_group", init))

    def _ddp_created(self, original: Original, ddp: Any, *args: Any, **kwargs: Any) -> None:
        original(ddp, *args, **kwargs)

        def count(group, bucket):  # type: ignore[no-untyped-def]  # torch checks any annotation it finds
            self.all_reduces += 1
            return allreduce_hook(group, bucket)

        ddp.register_comm_hook(None, count)

    def _epoch_order(self, original: Original, sampler: Any) -> Iterator[int]:
        order = tuple(original(sampler))
        self.orders.append(order)
        return iter(order)

    def _step_begins(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        self.updates.append(Update(self._index(optimizer), _gradient(optimizer), _rates(optimizer), self.all_reduces))

    def _step_ends(self, optimizer: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """A closure has made the gradient during the step."""
        if any(callable(value) for value in (*args[1:], *kwargs.values())):
            number = max(n for n, update in enumerate(self.updates) if update.optimizer == self._index(optimizer))
            rates = self.updates[number].rates
            self.updates[number] = Update(self._index(optimizer), _gradient(optimizer), rates, self.all_reduces)

    def _index(self, optimizer: Any) -> int:
        return next((n for n, known in enumerate(self.optimizers) if known is optimizer), -1)

    def _forward_begins(self, module: torch.nn.Module, _: Any) -> None:
        if self._depth == 0:
            self.forwards.append(Forward())
        self._depth += 1
        self.forwards[-1].modes.append((self._number(module), module.training))

    def _forward_ends(self, module: torch.nn.Module, _: Any, output: Any) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._watch(self.forwards[-1], output)

    def _watch(self, forward: Forward, output: Any) -> None:
        """Mark the forward when a backward reaches it; a token lives as long as its graph."""
        nodes = [tensor.grad_fn for tensor in _tensors(output) if tensor.grad_fn is not None]
        if not nodes:
            return
        forward.has_graph = True
        token = _Token(self)

        def reached(*_: Any, token: _Token = token) -> None:
            forward.used = True

        for node in nodes:
            with contextlib.suppress(RuntimeError):  # inside a function transform nodes take no hooks
                node.register_hook(reached)


class _Token:
    """Counts the graphs that are alive."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        recorder.live += 1
        recorder.most_live = max(recorder.live, recorder.most_live)

    def __del__(self) -> None:
        self._recorder.live -= 1


def _tensors(output: Any) -> Iterator[Tensor]:
    for leaf in tree_leaves(output):
        if isinstance(leaf, Tensor):
            yield leaf
        elif hasattr(leaf, "__dict__"):
            yield from (value for value in vars(leaf).values() if isinstance(value, Tensor))


def _modes(forward: Forward) -> Modes:
    return tuple(forward.modes)


def _rates(optimizer: Any) -> Floats:
    return tuple(float(group["lr"]) for group in optimizer.param_groups)


def _gradient(optimizer: Any) -> Floats:
    """A missing gradient counts as zero; frozen parameters, which can have none, do not count."""
    everything = [p for group in optimizer.param_groups for p in group["params"]]
    parameters = [p for p in everything if p.requires_grad or p.grad is not None]
    return _flat(torch.zeros_like(p) if p.grad is None else p.grad for p in parameters)


def _flat(tensors: Iterable[Tensor]) -> Floats:
    return tuple(number for tensor in tensors for number in tensor.detach().to_dense().reshape(-1).tolist())


def _state(returned: Any) -> tuple[dict[str, Floats], bool]:
    """Parameters and buffers of the returned modules, and whether all of them are doubles."""
    several = returned if isinstance(returned, list | tuple) else [returned]
    found = [module for module in several if isinstance(module, torch.nn.Module)]
    state = {
        f"{number}.{name}": _flat([tensor])
        for number, module in enumerate(found)
        for name, tensor in itertools.chain(module.named_parameters(), module.named_buffers())
    }
    double = all(p.dtype == torch.float64 for module in found for p in module.parameters())
    return state, double
