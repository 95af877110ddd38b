"""Random loops with two optimizers, each with a window of its own."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from hypothesis import strategies as st

from interpret.loops import Loop, Page
from interpret.reality import Entry


@dataclass(frozen=True)
class Half:
    """What one optimizer does in a batch."""

    size: int = 1
    divide: bool = True
    zero: str = "start"
    clip: str = "none"
    schedule: bool = False


@dataclass(frozen=True)
class Twins:
    """Two optimizers in one loop; `order` says how their lines are mixed."""

    kind: str = "apart"
    order: str = "one after the other"
    scaler: bool = False
    first: Half = Half()
    second: Half = Half()


HALVES: dict[str, tuple[Any, ...]] = {
    "size": (1, 2, 3),
    "divide": (True, False),
    "zero": ("start", "after", "none", "before backward"),
    "clip": ("none", "before", "after"),
    "schedule": (False, True),
}


def halves() -> st.SearchStrategy[Half]:
    """One optimizer's lines."""
    return st.builds(Half, **{item.name: st.sampled_from(HALVES[item.name]) for item in fields(Half)})


def _normal(twins: Twins) -> Twins:
    if twins.kind == "joint":  # one backward feeds both; steps at different times are not followed
        second = replace(twins.second, size=twins.first.size, divide=twins.first.divide)
        return replace(twins, second=second, order="together")
    if twins.kind == "gan":  # the other's gradients must be cleared, see `disagreements`
        return replace(
            twins,
            order="one after the other",
            first=replace(twins.first, zero="before backward", size=1),
            second=replace(twins.second, size=1),
        )
    return twins


def twins() -> st.SearchStrategy[Twins]:
    """Random loops with two optimizers."""
    return st.builds(
        Twins,
        kind=st.sampled_from(["apart", "joint", "gan"]),
        order=st.sampled_from(["one after the other", "together"]),
        scaler=st.booleans(),
        first=halves(),
        second=halves(),
    ).map(_normal)


_MODELS = {
    "apart": ("encoder", "decoder"),
    "joint": ("encoder", "decoder"),
    "gan": ("discriminator", "generator"),
}
_LOSSES = {
    "apart": ("encoder(batch)", "decoder(batch)"),
    "joint": ("decoder(encoder(batch))", ""),
    "gan": ("discriminator(generator(batch).detach())", "discriminator(generator(batch))"),
}


def render_twins(recipe: Twins) -> Loop:
    """The source of a loop with two optimizers."""
    page = Page()
    models = _MODELS[recipe.kind]
    page("import torch", "from torch.nn.utils import clip_grad_norm_")
    with page.suite(f"def train({', '.join(models)}, criterion, loader, epochs):"):
        for number, model in enumerate(models):
            page(f"opt_{number} = torch.optim.SGD({model}.parameters(), lr=0.1)")
            page(f"sched_{number} = torch.optim.lr_scheduler.StepLR(opt_{number}, 10)")
        page("scaler = torch.cuda.amp.GradScaler()" if recipe.scaler else "")
        with page.suite("for epoch in range(epochs):"), page.suite("for i, batch in enumerate(loader):"):
            _body(page, recipe)
    return Loop(page.text, Entry("train"))


def _body(page: Page, recipe: Twins) -> None:
    pieces = [(0, recipe.first), (1, recipe.second)]
    if recipe.order == "together":
        for part in (_start, _backward, _end):
            for number, half in pieces:
                part(page, recipe, number, half)
    else:
        for number, half in pieces:
            _start(page, recipe, number, half)
            _backward(page, recipe, number, half)
            _end(page, recipe, number, half)
    page("scaler.update()" if recipe.scaler else "")


def _start(page: Page, recipe: Twins, number: int, half: Half) -> None:
    page(f"opt_{number}.zero_grad()" if half.zero == "start" else "")


def _backward(page: Page, recipe: Twins, number: int, half: Half) -> None:
    call = _LOSSES[recipe.kind][number]
    if not call:
        return
    share = f" / {half.size}" if half.divide else ""
    name = "loss" if recipe.kind == "joint" else f"loss_{number}"
    page(f"{name} = criterion({call}, batch){share}")
    page(f"opt_{number}.zero_grad()" if half.zero == "before backward" else "")
    page(f"scaler.scale({name}).backward()" if recipe.scaler else f"{name}.backward()")


def _end(page: Page, recipe: Twins, number: int, half: Half) -> None:
    with page.suite(f"if (i + 1) % {half.size} == 0:"):
        clip = f"clip_grad_norm_({_MODELS[recipe.kind][number]}.parameters(), 1.0)"
        page(clip if half.clip == "before" else "")
        page(f"scaler.step(opt_{number})" if recipe.scaler else f"opt_{number}.step()")
        page(clip if half.clip == "after" else "")
        page(f"sched_{number}.step()" if half.schedule else "")
        page(f"opt_{number}.zero_grad()" if half.zero == "after" else "")
