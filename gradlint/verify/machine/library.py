"""What library functions and constructors mean to the world, by full name. Everything else is opaque."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch

from gradlint.verify.machine import binder, plain
from gradlint.verify.machine.values import (
    Closure,
    Method,
    Native,
    Ref,
    Stream,
    Thing,
    Unknown,
    Value,
    argument,
    is_number,
)
from gradlint.verify.reasons import InconclusiveError, Reason
from gradlint.verify.slice.index import Class
from gradlint.verify.slice.words import LOSS_FUNCTION
from gradlint.verify.world import engines
from gradlint.verify.world.accelerator import Accelerator, Plugin
from gradlint.verify.world.fabric import Fabric
from gradlint.verify.world.live import Live, added, arithmetic
from gradlint.verify.world.model import Inner, Model, Part, flatten, parallel, tensors
from gradlint.verify.world.optim import Loader, Optimizer, Sampler, Scaler, Scheduler, inner_optimizer
from gradlint.verify.world.shims import accelerate, fabric

if TYPE_CHECKING:
    from gradlint.verify.machine.machine import Machine

Args = list[Value]
Kwargs = dict[str, Value]

SCHEDULERS = frozenset(
    """LambdaLR MultiplicativeLR StepLR MultiStepLR ConstantLR LinearLR ExponentialLR CosineAnnealingLR ChainedScheduler
    SequentialLR ReduceLROnPlateau CyclicLR OneCycleLR CosineAnnealingWarmRestarts PolynomialLR get_scheduler
    CosineLRScheduler create_scheduler get_linear_schedule_with_warmup get_cosine_schedule_with_warmup
    get_constant_schedule_with_warmup get_polynomial_decay_schedule_with_warmup GradualWarmupScheduler NoamLR
    WarmupLinearSchedule get_constant_schedule get_cosine_with_hard_restarts_schedule_with_warmup""".split()
)
OPTIMIZERS = frozenset(
    """Adam AdamW SGD RMSprop Adagrad Adadelta Adamax NAdam RAdam LBFGS SparseAdam Rprop ASGD Adafactor Muon Lion LAMB
    BertAdam RangerLars Ranger FusedAdam create_optimizer AdamW8bit ZeroRedundancyOptimizer""".split()
)
LAYERS = ("torch.nn.", "nn.", "torchvision.models.", "transformers.", "timm.create_model", "segmentation_models")
NOT_MODELS = (
    "torch.nn.functional",
    "torch.nn.utils",
    "torch.nn.init",
    "torch.nn.parallel",
    "nn.functional",
    "nn.utils",
    "torch.nn.Parameter",
    "torch.nn.modules.loss",
)
LARGEST_SEED = 2**60
KEEP = frozenset("mean sum add stack cat nan_to_num squeeze nansum hstack".split())
ENGINES = (
    "colossalai",
    "lightning.Trainer",
    "pytorch_lightning.Trainer",
    "horovod.torch.DistributedOptimizer",
    "lightning.pytorch.Trainer",
)


def call(machine: Machine, name: str, args: Args, kwargs: Kwargs, node: ast.Call | None) -> Value:
    """Call something imported or built in."""
    if name.startswith("builtins."):
        return plain.builtin(machine, name.removeprefix("builtins."), args, kwargs)
    if any(name.startswith(engine) for engine in ENGINES):
        raise InconclusiveError(Reason.FRAMEWORK, name)
    tail = name.rpartition(".")[2]
    run = _TABLE.get(tail)
    if run is not None:
        return run(machine, name, args, kwargs)
    if tail in SCHEDULERS or (name.startswith("torch.optim.lr_scheduler.") and tail[:1].isupper()):
        return _scheduler(machine, name, args, kwargs)
    if tail in OPTIMIZERS or (name.startswith("torch.optim.") and "swa_utils" not in name and tail[:1].isupper()):
        return optimizer(machine, name, args, kwargs)
    if name.startswith("torch.distributed."):
        return _distributed(machine, tail, args)
    if _is_layer(name, tail):
        return _layer(machine, name, args, kwargs)
    return _opaque(machine, name, args, kwargs)


def _opaque(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    from gradlint.verify.machine import calls

    return calls.opaque(machine, name, args, kwargs, data=name.startswith(("torch.", "numpy.", "random.")))


def _is_layer(name: str, tail: str) -> bool:
    return (
        name.startswith(LAYERS) and not name.startswith(NOT_MODELS) and (tail[:1].isupper() or "create_model" in name)
    )


def _layer(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    """A module of a library: a loss is a function, anything with models inside is made of them."""
    if LOSS_FUNCTION.search(name):
        return Unknown(name)
    inner = [one for one in flatten([*args, *kwargs.values()]) if isinstance(one, Model)]
    named = [one for one in dict.fromkeys(inner) if not one.path.startswith("new torch.nn")]
    if named:
        return Model(machine.world, f"new {name}", named)
    machine.world.models = [one for one in machine.world.models if one not in inner]
    if name.rpartition(".")[2] in ("Identity", "ReLU", "Dropout", "Flatten", "Softmax", "Sigmoid", "Parameter"):
        return Unknown(name)
    if name.startswith("transformers.") and not any(word in name for word in ("Model", "From", "For")):
        return _opaque(machine, name, args, kwargs)
    return Model(machine.world, f"new {name}")


def optimizer(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Optimizer:
    """A constructor of an optimizer; an exhausted iterator would have raised, so nothing given is nothing known."""
    given = argument(args, kwargs, 0, "params")
    if isinstance(given, (Optimizer,)) or inner_optimizer(given):
        inner = inner_optimizer(given)
        assert inner is not None
        return inner
    found = [p for p in tensors([given]) if p.requires_grad]
    assumed = not found
    if assumed:
        machine.world.hollow |= isinstance(given, (list, tuple, dict, Stream))
        found = binder._parameters_for(machine, "")  # noqa: SLF001
    made = Optimizer(machine.world, "new optimizer", found, binder.runner(machine))
    made.assumed |= assumed
    return made


def _scheduler(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    every = [one for one in map(inner_optimizer, [*args, *kwargs.values()]) if one is not None]
    inner = [one.optimizer for one in flatten([*args, *kwargs.values()]) if isinstance(one, Scheduler)]
    chosen = every[0] if every else inner[0] if inner else None
    return Scheduler(machine.world, "new scheduler", chosen)


def is_module(machine: Machine, cls: Class) -> bool:
    """Whether a class of the file is a plain `nn.Module`: it has a forward and no backward of its own."""
    from gradlint.verify.machine.attributes import machine_mro

    order = machine_mro(machine, cls)
    bases = [base for one in order for base in one.bases]
    if not any(
        base.rpartition(".")[2].endswith(("Module", "Sequential", "PreTrainedModel", "Model", "Net")) for base in bases
    ):
        return False
    works = [name for one in order for name, node in one.methods.items() if _trains(node)]
    return not works


def _trains(node: ast.AST) -> bool:
    return any(
        isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute)
        and one.func.attr in ("backward", "step", "zero_grad", "manual_backward", "unscale_")
        for one in ast.walk(node)
    )  # fmt: skip


def is_loss(cls: Class) -> bool:
    """Whether a module of the file is a loss function."""
    return bool(LOSS_FUNCTION.search(cls.name))


def owns_base(machine: Machine, cls: Class) -> bool:
    """Whether a class derives from a library object that the machine can stand in for, and is made as that is."""
    from gradlint.verify.machine.calls import method_of

    tails = {base.rpartition(".")[2] for base in cls.bases}
    return "GradScaler" in tails or (bool(tails & OPTIMIZERS) and method_of(machine, cls, "__init__") is None)


def base(machine: Machine, cls: Class, args: Args, kwargs: Kwargs) -> Thing | None:
    """The library object behind an object of the file's class."""
    tails = {one.rpartition(".")[2] for one in cls.bases}
    if tails & ({"Optimizer"} | OPTIMIZERS):
        return optimizer(machine, "", args, kwargs)
    if "GradScaler" in tails:
        return Scaler(machine.world, "new scaler")
    if "Module" in tails:
        return None
    return None


# ---------------------------------------------------------------------- functions


def _grad_scaler(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    enabled = kwargs.get("enabled", args[4] if len(args) > 4 else True)
    return Scaler(machine.world, "new scaler", enabled=_switch(machine, enabled))


def _switch(machine: Machine, value: Value) -> bool:
    from gradlint.verify.machine.guards import truth

    return truth(machine, value, prefer=True, gate=True)


def _autocast(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    kind = "cuda" if machine.world.device.startswith("cuda") else "cpu"
    named = args[0] if args and isinstance(args[0], str) else kwargs.get("device_type")
    dtype = kwargs.get("dtype", args[1] if len(args) > 1 and isinstance(args[1], Ref) else None)
    enabled = kwargs.get("enabled", True)
    if args and isinstance(args[0], (bool, Unknown)) and "device_type" not in kwargs and "cuda.amp" in name:
        enabled = args[0]
    text = dtype.name if isinstance(dtype, Ref) else ""
    if dtype is None and named == "cpu":
        text = "torch.bfloat16"
    plan = torch.bfloat16 if machine.plan.dtype == "bf16" else torch.float16
    chosen = torch.bfloat16 if "bfloat16" in text else torch.float16 if "float16" in text or "half" in text else plan
    return torch.autocast(kind, dtype=chosen, enabled=_switch(machine, enabled))


def _no_grad(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    return torch.no_grad()


def _set_grad(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    flag = args[0] if args else True
    return contextlib.nullcontext() if flag is not False else torch.no_grad()


def _enable_grad(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    return torch.enable_grad()


def _null(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    return contextlib.nullcontext()


def _clip_norm(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    limit, given = argument(args, kwargs, 1, "max_norm"), argument(args, kwargs, 0, "parameters")
    number = limit if is_number(limit) and limit else 1.0
    found = tensors([given])
    sure = not (isinstance(limit, Unknown) and (limit.data or "(" in limit.path))
    return machine.world.clipped(found, number, known=_spelled_out(given), sure=sure)


def _spelled_out(given: Value) -> bool:
    """Whether it is known whose gradients a clip is given: nothing unknown among them."""
    if isinstance(given, (list, tuple)):
        return bool(given) and not any(isinstance(one, Unknown) for one in flatten_lists([given]))
    if isinstance(given, Stream):
        return given.whole
    return given is not None and not isinstance(given, Unknown)


def flatten_lists(values: list[Value]) -> list[Value]:
    """What stands in lists of lists; iterators are left alone."""
    from gradlint.verify.machine.calls import flatten_shallow

    return flatten_shallow(values)


def _clip_value(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    limit, given = argument(args, kwargs, 1, "clip_value"), argument(args, kwargs, 0, "parameters")
    number = limit if is_number(limit) and limit else 1.0
    machine.world.clipped(tensors([given]), number, by_value=True, known=_spelled_out(given))
    return None


def _parallel(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    one = argument(args, kwargs, 0, "module")
    machine.world.record.sharded |= not name.endswith("DistributedDataParallel")
    if isinstance(one, Unknown) and one.made:
        one = Model(machine.world, f"new {one.path}")
    return parallel(one) if isinstance(one, Model) else one


def _first(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    return args[0] if args else next(iter(kwargs.values()), None)


def _cycle(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    """`itertools.cycle(loader)`: one pass that does not end."""
    if args and isinstance(args[0], Loader):
        args[0].endless = True
    return _first(machine, name, args, kwargs)


def _copy(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    one = args[0] if args else None
    if isinstance(one, (Model, Inner, Part)):
        return Model(machine.world, "copy", quiet=True)
    return one


def _loader(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    sampler = kwargs.get("sampler")
    return Loader(machine.world, "loader", sampler if isinstance(sampler, Sampler) else None)


def _sampler(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    shuffle = kwargs.get("shuffle", args[3] if len(args) > 3 else True)
    seed = kwargs.get("seed", args[4] if len(args) > 4 else 0)
    number = seed if isinstance(seed, int) and 0 <= seed < LARGEST_SEED else 0
    known = isinstance(shuffle, bool) and (isinstance(seed, int) or (isinstance(seed, Unknown) and not seed.data))
    made = Sampler(machine.world, "sampler", shuffle=shuffle is not False, known=known, seed=number)
    made.told = machine.index.tells_epoch()  # perhaps where nothing is walked: in an iterator of the file
    return made


def _accelerator(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    """`Accelerator(...)`: the settings that reach gradients and schedules, from wherever they are given."""
    given = dict(kwargs)
    for key in ("gradient_accumulation_plugin", "dataloader_config"):
        inner = kwargs.get(key)
        given |= inner.given if isinstance(inner, Plugin) else {}
    told = "gradient_accumulation_steps" in kwargs or kwargs.get("gradient_accumulation_plugin") is not None
    number = given.get("num_steps", given.get("gradient_accumulation_steps"))
    steps = 1
    if told:
        steps = binder.knob(machine, "gradient_accumulation_steps", number if isinstance(number, int) else None)
    mixed = given.get("mixed_precision")
    settings = accelerate.Settings(
        steps,
        str(mixed) if mixed in ("fp16", "bf16") else "",
        split_batches=given.get("split_batches") is True,
        follow=given.get("step_scheduler_with_optimizer") is not False,
        with_loader=given.get("sync_with_dataloader") is not False,
        each_batch=given.get("sync_each_batch") is True,
        adjust=given.get("adjust_scheduler") is True,
    )
    return Accelerator(machine.world, settings)


def _plugin(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    first = {"num_steps": args[0]} if args and name.endswith("GradientAccumulationPlugin") else {}
    return Plugin({**first, **kwargs})


PRECISIONS = {"16": "16-mixed", "16-mixed": "16-mixed", "bf16": "bf16-mixed", "bf16-mixed": "bf16-mixed"}


def _fabric(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    given = argument(args, kwargs, 4, "precision")
    precision = PRECISIONS.get(str(given), "") if isinstance(given, (str, int)) else ""
    strategy, devices = argument(args, kwargs, 1, "strategy"), argument(args, kwargs, 2, "devices")
    several = isinstance(strategy, str) and strategy.startswith("ddp")
    several = several or (isinstance(devices, int) and devices > 1)
    return Fabric(machine.world, fabric.Settings(precision, several or binder.speaks_of_ranks(machine)))


def _autograd_backward(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    lives = [one for one in flatten(args[:1] or [kwargs.get("tensors")]) if isinstance(one, Live)]
    if name.endswith("autograd.backward") and lives:
        total = lives[0]
        for one in lives[1:]:
            total = added(total, one)
        machine.world.backward(total)
    return None


def _autograd_grad(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    lives = [one for one in flatten(args[:1]) if isinstance(one, Live)]
    return (machine.world.loss_of(lives),) if lives and name.endswith("autograd.grad") else Unknown("grad()", data=True)


def _partial(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    function, first = args[0], args[1:]
    if isinstance(function, (Closure, Method, Ref, Class)):
        return Native(lambda more, named: machine.apply(function, [*first, *more], {**kwargs, **named}))
    return function


def _chain(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    from gradlint.verify.machine import iterate

    def items() -> Any:
        for one in args:
            yield from iterate.items(machine, one)

    whole = all(isinstance(one, Stream) and one.whole for one in args)
    return Stream(items(), whole=whole)


def _islice(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    from gradlint.verify.world.plan import BATCH

    count = args[1] if len(args) > 1 else None
    if isinstance(args[0], (Loader, Unknown)) and isinstance(count, int):
        return [Unknown("batch", data=True, size=BATCH) for _ in range(min(count, 600))]
    return args[0]


def _keep(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    lives = [one for one in flatten(args) if isinstance(one, Live)]
    if not lives:
        return _opaque(machine, name, args, kwargs)
    total = lives[0]
    for one in lives[1:]:
        total = added(total, one)
    return total


def _scaled_by(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    if len(args) == 2 and any(isinstance(one, Live) for one in args) and name.startswith("torch."):
        return arithmetic("div" if "div" in name else "mul", args[0], args[1])
    return _opaque(machine, name, args, kwargs)


def _available(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    return Unknown("cuda is available")


def _distributed(machine: Machine, tail: str, args: Args) -> Value:
    numbers = {"get_rank": machine.plan.rank, "get_world_size": machine.plan.ranks, "is_initialized": True,
               "is_available": True}  # fmt: skip
    if tail in numbers:
        return numbers[tail]
    return args[0] if tail in ("all_reduce", "reduce") and args and isinstance(args[0], Live) else None


def _scale_loss(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    """Apex: scaled inside, unscaled at the end of the block; the books see an unscaled loss."""
    return contextlib.nullcontext(args[0] if args else None)


def _foreach(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    from gradlint.verify.world.parameters import Gradient

    for one in flatten(args[:1]):
        if isinstance(one, Gradient):
            one.scale(args[1] if len(args) > 1 else None, divide="div" in name)
    return None


def _foreach_zero(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    for one in tensors(args[:1]):
        if one.grad is not None:
            one.grad.zero_()
    return None


def _warn(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    return None


def _deepspeed(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    """`deepspeed.initialize`: engine, optimizer, loader, scheduler."""
    if not name.startswith("deepspeed"):
        return _opaque(machine, name, args, kwargs)
    values = [*args, *kwargs.values()]
    model = next((one for one in values if isinstance(one, Model)), None) or Model(machine.world, "engine's model")
    inner = next((one for one in map(inner_optimizer, values) if one is not None), None)
    inner = inner or Optimizer(machine.world, "engine's optimizer", model.own(), binder.runner(machine))
    config = next((one for one in values if isinstance(one, dict)), None)
    steps = int(engines.config_number(config, "gradient_accumulation_steps"))
    window = 1 if steps == 1 else binder.knob(machine, "gradient_accumulation_steps", steps or None)
    made = engines.Engine(machine.world, model, inner, window, engines.config_number(config, "gradient_clipping"))
    made.scheduler = next((one for one in values if isinstance(one, Scheduler)), None)
    if made.scheduler is not None:
        made.scheduler.gate = None
    return (made, inner, Loader(machine.world, "loader"), made.scheduler)


def _privacy(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    return engines.Privacy(machine.world)


def _memory_manager(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    window = binder.knob(machine, "physical batches of a logical one", None)
    loader, optimizer = argument(args, kwargs, 0, "data_loader"), argument(args, kwargs, 2, "optimizer")
    return engines.memory_manager(machine.world, loader, optimizer, window)


_TABLE: dict[str, Callable[[Machine, str, Args, Kwargs], Value]] = {
    "GradScaler": _grad_scaler, "ShardedGradScaler": _grad_scaler, "autocast": _autocast, "no_grad": _no_grad,
    "NativeScaler": _grad_scaler, "NativeScalerWithGradNormCount": _grad_scaler,
    "inference_mode": _no_grad, "set_grad_enabled": _set_grad, "enable_grad": _enable_grad, "nullcontext": _null,
    "suppress": _null, "clip_grad_norm_": _clip_norm, "clip_grad_norm": _clip_norm, "clip_grad_value_": _clip_value,
    "DistributedDataParallel": _parallel, "DataParallel": _first, "convert_sync_batchnorm": _first,
    "FullyShardedDataParallel": _parallel, "fully_shard": _parallel,
    "compile": _first, "deepcopy": _copy, "AveragedModel": _copy,
    "DataLoader": _loader, "DistributedSampler": _sampler, "Accelerator": _accelerator, "Fabric": _fabric,
    "GradientAccumulationPlugin": _plugin, "DataLoaderConfiguration": _plugin,
    "backward": _autograd_backward, "grad": _autograd_grad, "partial": _partial, "chain": _chain, "islice": _islice,
    "cycle": _cycle, "tqdm": _first, "trange": lambda m, n, a, k: plain.builtin(m, "range", a, k), "track": _first,
    "from_iterable": lambda m, n, a, k: Stream(iter(list(flatten(a)))), "mean": _keep, "sum": _keep, "stack": _keep,
    "cat": _keep, "add": _keep, "nan_to_num": _keep, "squeeze": _keep, "div": _scaled_by, "mul": _scaled_by,
    "true_divide": _scaled_by, "multiply": _scaled_by, "divide": _scaled_by, "is_available": _available,
    "scale_loss": _scale_loss, "_foreach_mul_": _foreach, "_foreach_div_": _foreach, "_foreach_zero_": _foreach_zero,
    "initialize": _deepspeed, "PrivacyEngine": _privacy, "BatchMemoryManager": _memory_manager,
    "prepare_model": _first, "warn": _warn, "manual_seed": _warn, "print": _warn,
}  # fmt: skip
