"""Loops under Accelerate and Fabric, in all the ways that people write them, right and wrong."""

from __future__ import annotations

ACCELERATE = """
import torch
from accelerate import Accelerator, DataLoaderConfiguration
from accelerate.utils import GradientAccumulationPlugin

def train(model, optimizer, loader, scheduler, epochs):
    accelerator = Accelerator({settings})
    {prepare}
    for epoch in range(epochs):
        for index, batch in enumerate(loader):
{body}
{after}
"""
PREPARE = "model, optimizer, loader, scheduler = accelerator.prepare(model, optimizer, loader, scheduler)"
USUAL = """
with accelerator.accumulate(model):
    loss = model(batch).loss
    accelerator.backward(loss)
    if accelerator.sync_gradients:
        accelerator.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    scheduler.step()
    optimizer.zero_grad()
"""
UNGUARDED = USUAL.replace("    if accelerator.sync_gradients:\n        acc", "    acc")
ZERO_FIRST = """
with accelerator.accumulate(model):
    optimizer.zero_grad()
    accelerator.backward(model(batch).loss)
    optimizer.step()
"""
OUTSIDE = """
loss = model(batch).loss
with accelerator.accumulate(model):
    accelerator.backward(loss)
    optimizer.step()
    optimizer.zero_grad()
"""
BY_HAND = """
if (index + 1) % 4:
    with accelerator.no_sync(model):
        accelerator.backward(model(batch).loss / 4)
else:
    accelerator.backward(model(batch).loss / 4)
    optimizer.step()
    optimizer.zero_grad()
"""
DIVIDED_TWICE = """
with accelerator.accumulate(model):
    loss = model(batch).loss / accelerator.gradient_accumulation_steps
    accelerator.backward(loss)
    optimizer.step()
    optimizer.zero_grad()
"""
PLAIN_BACKWARD = USUAL.replace("accelerator.backward(loss)", "loss.backward()")
TORCH_CLIP = USUAL.replace("accelerator.clip_grad_norm_", "torch.nn.utils.clip_grad_norm_")
CLIP_LAST = """
with accelerator.accumulate(model):
    accelerator.backward(model(batch).loss)
    optimizer.step()
    accelerator.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.zero_grad()
"""
CLIP_VALUE = USUAL.replace("clip_grad_norm_", "clip_grad_value_")
BEHIND = """
with accelerator.accumulate(model):
    accelerator.backward(model(batch).loss)
    if accelerator.sync_gradients:
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
"""
SCHEDULE_OUTSIDE = """
with accelerator.accumulate(model):
    accelerator.backward(model(batch).loss)
    optimizer.step()
    optimizer.zero_grad()
scheduler.step()
"""
SKIPPED = """
with accelerator.accumulate(model):
    accelerator.backward(model(batch).loss)
    optimizer.step()
    if not accelerator.optimizer_step_was_skipped:
        scheduler.step()
    optimizer.zero_grad()
"""
MODEL_ZERO = USUAL.replace("optimizer.zero_grad()", "model.zero_grad()")
NEVER = USUAL.replace("    optimizer.zero_grad()\n", "")
NO_CONTEXT = """
accelerator.backward(model(batch).loss)
optimizer.step()
scheduler.step()
optimizer.zero_grad()
"""
UNSCALED = """
with accelerator.accumulate(model):
    accelerator.backward(model(batch).loss)
    if accelerator.sync_gradients:
        accelerator.unscale_gradients()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
"""
TWO_MODELS = """
with accelerator.accumulate(model, head):
    loss = criterion(head(model(batch)), batch)
    accelerator.backward(loss)
    optimizer.step()
    optimizer.zero_grad()
"""
PREPARE_TWO = (
    "head = torch.nn.Linear(3, 3)\n"
    "    optimizer = torch.optim.SGD([*model.parameters(), *head.parameters()], lr=0.1)\n"
    "    model, head, optimizer, loader = accelerator.prepare(model, head, optimizer, loader)"
)
BOTH_OPTIMIZERS = """
with accelerator.accumulate(model, head):
    loss = criterion(head(model(batch)), batch)
    accelerator.backward(loss)
    if accelerator.sync_gradients:
        accelerator.clip_grad_norm_(model.parameters(), 1.0)
        accelerator.clip_grad_norm_(head.parameters(), 1.0)
    first.step()
    second.step()
    first.zero_grad()
    second.zero_grad()
"""
PREPARE_BOTH = (
    "head = torch.nn.Linear(3, 3)\n"
    "    first = torch.optim.SGD(model.parameters(), lr=0.1)\n"
    "    second = torch.optim.SGD(head.parameters(), lr=0.1)\n"
    "    model, head, first, second, loader = accelerator.prepare(model, head, first, second, loader)"
)
STOPS = USUAL + "if index == 5:\n    break\n"
ENDING = """
with accelerator.accumulate(model):
    accelerator.backward(model(batch).loss)
    optimizer.step()
    optimizer.zero_grad()
"""
STEPS = "gradient_accumulation_steps=4"


def accelerate(body: str = USUAL, settings: str = STEPS, prepare: str = PREPARE, after: str = "") -> str:
    """A program."""
    inner = "\n".join(" " * 12 + line for line in body.strip("\n").splitlines())
    late = "\n".join(" " * 8 + line for line in after.strip("\n").splitlines())
    return ACCELERATE.format(settings=settings, prepare=prepare, body=inner, after=late)


def plugin(**given: object) -> str:
    """`gradient_accumulation_plugin=...`."""
    inner = ", ".join(f"{name}={value!r}" for name, value in given.items())
    return f"gradient_accumulation_plugin=GradientAccumulationPlugin({inner})"


ACCELERATED = {
    "usual": accelerate(),
    "one step": accelerate(settings=""),
    "clip without guard": accelerate(UNGUARDED),
    "zero_grad first": accelerate(ZERO_FIRST),
    "forward outside": accelerate(OUTSIDE),
    "no_sync by hand": accelerate(BY_HAND, ""),
    "divided twice": accelerate(DIVIDED_TWICE),
    "loss.backward": accelerate(PLAIN_BACKWARD),
    "torch's clip": accelerate(TORCH_CLIP),
    "clip after step": accelerate(CLIP_LAST),
    "clip by value": accelerate(CLIP_VALUE),
    "behind sync_gradients": accelerate(BEHIND),
    "scheduler outside": accelerate(SCHEDULE_OUTSIDE),
    "scheduler unless skipped": accelerate(SKIPPED),
    "scheduler unprepared": accelerate(
        prepare="model, optimizer, loader = accelerator.prepare(model, optimizer, loader)"
    ),
    "scheduler alone": accelerate(settings=f"{STEPS}, step_scheduler_with_optimizer=False"),
    "optimizer unprepared": accelerate(prepare="model, loader = accelerator.prepare(model, loader)"),
    "loader unprepared": accelerate(
        prepare="model, optimizer, scheduler = accelerator.prepare(model, optimizer, scheduler)"
    ),
    "one after the other": accelerate(
        prepare="optimizer = accelerator.prepare(optimizer)\n    scheduler = accelerator.prepare_scheduler(scheduler)\n"
        "    loader = accelerator.prepare_data_loader(loader)\n    model = accelerator.prepare_model(model)"
    ),
    "model.zero_grad": accelerate(MODEL_ZERO),
    "never cleared": accelerate(NEVER),
    "without accumulate": accelerate(NO_CONTEXT),
    "plugin": accelerate(settings=plugin(num_steps=4)),
    "plugin, windows across epochs": accelerate(settings=plugin(num_steps=4, sync_with_dataloader=False)),
    "plugin, sync each batch": accelerate(settings=plugin(num_steps=4, sync_each_batch=True)),
    "plugin, adjusted schedule": accelerate(settings=plugin(num_steps=4, adjust_scheduler=True)),
    "split batches": accelerate(settings=f"{STEPS}, dataloader_config=DataLoaderConfiguration(split_batches=True)"),
    "two models": accelerate(TWO_MODELS, prepare=PREPARE_TWO),
    "two optimizers": accelerate(BOTH_OPTIMIZERS, prepare=PREPARE_BOTH),
    "stops early": accelerate(STOPS),
    "once more at the end": accelerate(ENDING, after="batch = next(iter(loader))" + ENDING),
    "steps set later": accelerate(settings="", prepare=f"{PREPARE}\n    accelerator.gradient_accumulation_steps = 4"),
    "bf16": accelerate(settings=f"{STEPS}, mixed_precision='bf16'"),
    "fp16": accelerate(settings=f"{STEPS}, mixed_precision='fp16'"),
    "fp16, clip without guard": accelerate(UNGUARDED, f"{STEPS}, mixed_precision='fp16'"),
    "fp16, torch's clip": accelerate(TORCH_CLIP, f"{STEPS}, mixed_precision='fp16'"),
    "fp16, unscaled by hand": accelerate(UNSCALED, f"{STEPS}, mixed_precision='fp16'"),
    "fp16, loss.backward": accelerate(PLAIN_BACKWARD, f"{STEPS}, mixed_precision='fp16'"),
    "fp16, scheduler unless skipped": accelerate(SKIPPED, f"{STEPS}, mixed_precision='fp16'"),
    "fp16, two optimizers": accelerate(BOTH_OPTIMIZERS, f"{STEPS}, mixed_precision='fp16'", PREPARE_BOTH),
}

FABRIC = """
import torch
from lightning.fabric import Fabric

def train(model, optimizer, loader, scheduler, epochs, accumulation_steps=4):
    fabric = Fabric(accelerator="cpu", devices=1{settings})
    fabric.launch()
    {prepare}
    loader = fabric.setup_dataloaders(loader)
    for epoch in range(epochs):
        for index, batch in enumerate(loader):
{body}
"""
SETUP = "model, optimizer = fabric.setup(model, optimizer)"
FABRIC_USUAL = """
optimizer.zero_grad()
fabric.backward(model(batch).loss)
fabric.clip_gradients(model, optimizer, max_norm=1.0)
optimizer.step()
scheduler.step()
"""
WINDOWS = """
last = (index + 1) % accumulation_steps == 0
with fabric.no_backward_sync(model, enabled=not last):
    fabric.backward(model(batch).loss / accumulation_steps)
if last:
    fabric.clip_gradients(model, optimizer, max_norm=1.0)
    optimizer.step()
    optimizer.zero_grad()
    scheduler.step()
"""
FORWARD_OUTSIDE = """
last = (index + 1) % accumulation_steps == 0
loss = model(batch).loss / accumulation_steps
with fabric.no_backward_sync(model, enabled=not last):
    fabric.backward(loss)
if last:
    optimizer.step()
    optimizer.zero_grad()
"""
ALL_QUIET = FORWARD_OUTSIDE.replace("enabled=not last", "enabled=True")
UNDIVIDED = WINDOWS.replace(" / accumulation_steps)", ")")
FABRIC_LATE = """
fabric.backward(model(batch).loss)
optimizer.step()
fabric.clip_gradients(model, optimizer, max_norm=1.0)
optimizer.zero_grad()
"""
FABRIC_VALUE = FABRIC_USUAL.replace("max_norm=1.0", "clip_val=1.0")
FABRIC_TORCH_CLIP = FABRIC_USUAL.replace(
    "fabric.clip_gradients(model, optimizer, max_norm=1.0)", "torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)"
)


def fabric(body: str = FABRIC_USUAL, settings: str = "", prepare: str = SETUP) -> str:
    """A program."""
    inner = "\n".join(" " * 12 + line for line in body.strip("\n").splitlines())
    return FABRIC.format(settings=f", {settings}" if settings else "", prepare=prepare, body=inner)


FABRICATED = {
    "usual": fabric(),
    "windows": fabric(WINDOWS),
    "forward outside": fabric(FORWARD_OUTSIDE),
    "all quiet": fabric(ALL_QUIET),
    "not divided": fabric(UNDIVIDED),
    "clip after step": fabric(FABRIC_LATE),
    "clip by value": fabric(FABRIC_VALUE),
    "torch's clip": fabric(FABRIC_TORCH_CLIP),
    "set up apart": fabric(
        prepare="model = fabric.setup_module(model)\n    optimizer = fabric.setup_optimizers(optimizer)"
    ),
    "with scheduler": fabric(
        prepare="model, optimizer, scheduler = fabric.setup(model, optimizer, scheduler=scheduler)"
    ),
    "bf16": fabric(settings="precision='bf16-mixed'"),
    "fp16": fabric(settings="precision='16-mixed'"),
    "fp16, windows": fabric(WINDOWS, "precision='16-mixed'"),
    "fp16, torch's clip": fabric(FABRIC_TORCH_CLIP, "precision='16-mixed'"),
    "fp16, clip by value": fabric(FABRIC_VALUE, "precision='16-mixed'"),
    "fp16, clip after step": fabric(FABRIC_LATE, "precision='16-mixed'"),
}
