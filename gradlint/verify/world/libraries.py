"""Accelerate and Fabric themselves, where they are installed; a shim where they are not.

    a loop that uses them ──► warm process imports the library, once
                                   │ fork
                                   ▼
                    accelerate.Accelerator(...)     or     shims.accelerate.Accelerator(...)
                    what was used stands in the report, with its version

Only what an installer put into `site-packages` is imported: a folder `accelerate` that lies beside the loop is text
like the loop itself.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from dataclasses import dataclass
from importlib import metadata
from types import ModuleType
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch

from gradlint.verify.trust import OFFLINE, installed, trusted
from gradlint.verify.world.distributed import start
from gradlint.verify.world.shims import accelerate as accelerate_shim
from gradlint.verify.world.shims import fabric as fabric_shim

if TYPE_CHECKING:
    from gradlint.verify.slice.index import Index
    from gradlint.verify.world.world import World

FAILURES = (ImportError, RuntimeError, ValueError, TypeError, AttributeError, OSError, KeyError, AssertionError)
SCALER = "the library's scaler"


@dataclass(frozen=True)
class Library:
    """A library: what the report calls it, where it may be found, and the names that speak of it."""

    name: str
    modules: tuple[str, ...]
    word: str
    imports: tuple[str, ...]

    def used_in(self, found: Index) -> bool:
        """Whether a file speaks of it."""
        if any(full.startswith(self.imports) for full in found.imports.values()):
            return True
        return self.word in found.used or self.word in found.annotated.values()


ACCELERATE = Library("Accelerate", ("accelerate",), "accelerator", ("accelerate.", "accelerate"))
FABRIC = Library(
    "Fabric", ("lightning_fabric", "lightning.fabric"), "fabric", ("lightning.", "lightning_fabric", "lightning")
)
LIBRARIES = (ACCELERATE, FABRIC)


def load(library: Library) -> ModuleType | None:
    """The library's module, imported at most once; None where it is not installed."""
    for name in library.modules:
        if name in sys.modules:
            return sys.modules[name]
        if not installed(name):
            continue
        with contextlib.suppress(*FAILURES), trusted(), mock.patch.object(os, "environ", {**os.environ, **OFFLINE}):
            return importlib.import_module(name)
    return None


def version(module: ModuleType) -> str:
    """Its version, as its installer has it."""
    name = module.__name__.replace("_", "-").partition(".")[0]
    with contextlib.suppress(metadata.PackageNotFoundError):
        return metadata.version(name)
    return str(getattr(module, "__version__", "of unknown version"))


def scaler(world: World) -> Any:
    """A scaler in the books, for a library that scales by itself."""
    from gradlint.verify.world.optim import Scaler

    return Scaler(world, SCALER).real


# ---------------------------------------------------------------------- one of each


def accelerator(world: World, settings: accelerate_shim.Settings) -> Any:
    """An accelerator: the library's own, else the shim."""
    module = None if world.plan.shims else load(ACCELERATE)
    why = "not wanted" if world.plan.shims else "not installed"
    if module is not None:
        try:
            made = _real_accelerator(world, module, settings)
        except FAILURES as error:
            why = f"{version(module)} does not start here: {type(error).__name__}"
        else:
            world.record.wrapper = f"Accelerate {version(module)}"
            return made
    world.record.wrapper = f"a shim of Accelerate ({why})"
    if world.plan.ranks > 1:
        start(world)
    own = scaler(world) if settings.precision == "fp16" else None
    return accelerate_shim.Accelerator(settings, world.plan.ranks, world.plan.rank, own)


def _real_accelerator(world: World, module: Any, settings: accelerate_shim.Settings) -> Any:
    """`accelerate.Accelerator`. Its state is one for a process, and a process makes several runs."""
    state, utils = importlib.import_module("accelerate.state"), importlib.import_module("accelerate.utils")
    if not world.accelerated:
        state.AcceleratorState._reset_state(reset_partial_state=True)  # noqa: SLF001 - as its own tests do
        state.GradientState._reset_state()  # noqa: SLF001
        world.accelerated = True
    _surroundings(world)
    plain = world.device == "cpu"
    made = module.Accelerator(
        cpu=plain,
        mixed_precision=settings.precision or "no",
        step_scheduler_with_optimizer=settings.follow,
        dataloader_config=utils.DataLoaderConfiguration(split_batches=settings.split_batches),
        gradient_accumulation_plugin=utils.GradientAccumulationPlugin(
            num_steps=settings.steps,
            adjust_scheduler=settings.adjust,
            sync_with_dataloader=settings.with_loader,
            sync_each_batch=settings.each_batch,
        ),
    )
    if settings.precision == "fp16":
        made.scaler = scaler(world)  # the scale of the books; without a GPU the library would leave scaling out
        made.native_amp = True
    return made


def fabric(world: World, settings: fabric_shim.Settings) -> Any:
    """A Fabric: the library's own, else the shim."""
    module = None if world.plan.shims else load(FABRIC)
    why = "not wanted" if world.plan.shims else "not installed"
    if module is not None:
        try:
            made = _real_fabric(world, module, settings)
        except FAILURES as error:
            why = f"{version(module)} does not start here: {type(error).__name__}"
        else:
            world.record.wrapper = f"Fabric {version(module)}"
            return made
    world.record.wrapper = f"a shim of Fabric ({why})"
    if settings.ranks:
        start(world)
    own = scaler(world) if settings.precision == "16-mixed" else None
    return fabric_shim.Fabric(settings, world.plan.ranks, world.plan.rank, own, _kind(world))


def _kind(world: World) -> str:
    return "cuda" if world.device.startswith("cuda") else "cpu"


def _real_fabric(world: World, module: Any, settings: fabric_shim.Settings) -> Any:
    """`lightning.fabric.Fabric`. Who speaks of synchronising gets DDP; mixed precision gets the scaler of the books."""
    _surroundings(world, always=settings.ranks)
    plugins = []
    if settings.precision.endswith("-mixed"):
        precision = importlib.import_module(f"{module.__name__}.plugins.precision")
        own = scaler(world) if settings.precision == "16-mixed" else None
        plugins.append(precision.MixedPrecision(settings.precision, _kind(world), own))
    made = module.Fabric(
        accelerator=_kind(world),
        devices=world.plan.ranks,
        strategy="ddp" if settings.ranks else "auto",
        plugins=plugins,
    )
    made.launch()
    return made


def _surroundings(world: World, *, always: bool = False) -> None:
    """The process group, and the variables by which a launcher tells each process which one it is.

    They go into a plain dictionary: what a library adds to them reaches no other process.
    """
    plan = world.plan
    surroundings = {**os.environ, **OFFLINE}
    if plan.ranks > 1 or always:
        start(world)
        rank, size = str(plan.rank), str(plan.ranks)
        surroundings |= {"RANK": rank, "LOCAL_RANK": rank, "WORLD_SIZE": size, "LOCAL_WORLD_SIZE": size}
        surroundings |= {"NODE_RANK": "0", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29500"}
    vars(os)["environ"] = surroundings


def threads() -> None:
    """Libraries like to choose the number of threads; the run has one."""
    torch.set_num_threads(1)
