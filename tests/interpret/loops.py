"""Random training loops: a recipe of choices, and the source it stands for.

Right loops and wrong ones alike; every choice is one that people make. All are well-formed
Python, and with the window and the loader's length given every guard can be computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import Any

from hypothesis import strategies as st

from interpret.reality import Entry

SIZES = (2, 3, 4, 5)

COUNTS = {
    "index": (
        "(i + 1) % {n} == 0",
        "i % {n} == {n} - 1",
        "not (i + 1) % {n}",
        "i % {n} == 0",
        "(i % {n}) + 1 == {n}",
        "0 == (i + 1) % {n}",
        "not (i + 1) % {n} != 0",
        "(i + 1) % {n} == 0 or i + 1 == len({loader})",
        "i % {n} == {n} - 1 or i == len({loader}) - 1",
        "i == len({loader}) - 1 or (i + 1) % {n} == 0",
    ),
    "one": (
        "i % {n} == 0",
        "not i % {n}",
        "i % {n} == 0 or i == len({loader})",
        "i % {n} == 1",
    ),
    "counter": ("count == {n}", "count >= {n}", "count % {n} == 0", "not count < {n}"),
    "while": (
        "(i + 1) % {n} == 0",
        "i % {n} == {n} - 1",
        "(i + 1) % {n} == 0 or i + 1 == len({loader})",
    ),
    "ones by hand": ("i % {n} == 0", "i % {n} == 0 or i == len({loader})"),
}
"""How micro-batches are counted -> the tests that end a window."""

MICRO = ("micro range", "micro while", "micro chunks", "micro next")
"""How micro-batches are counted by a loop of their own."""


@dataclass(frozen=True)
class Recipe:
    """One loop; the first value of every choice is the plainest.

    `variant` picks one of the tests that its way to count allows.
    """

    shape: str = "function"
    epochs: bool = True
    size: int = 3
    window: str = "symbol"
    count: str = "index"
    variant: int = 0
    increment: str = "before"
    guard: str = "if"
    share: str = "divide"
    zero: str = "after"
    clip: str = "none"
    unscale: str = "none"
    scaler: str = "none"
    update: str = "after"
    schedule: str = "none"
    sync: str = "none"
    spend: str = "inline"
    flush: bool = False
    noise: bool = False


CHOICES: dict[str, tuple[Any, ...]] = {
    "shape": ("function", "script", "method", "made inside"),
    "epochs": (True, False),
    "size": SIZES,
    "window": ("symbol", "literal", "constant", "config"),
    "count": (*COUNTS, *MICRO, "plain"),
    "variant": tuple(range(10)),
    "increment": ("before", "after", "global"),
    "guard": ("if", "continue", "else", "variable", "helper", "flag", "ternary", "walrus", "lambda"),
    "share": (
        *("divide", "none", "in place", "times inverse", "method", "in the call", "helper"),
        *("twice", "reassign", "times in place", "multiplied", "inverse first"),
    ),
    "zero": (
        *("after", "start", "before backward", "before epoch", "none", "in guard", "start guard"),
        *("model", "between"),
    ),
    "clip": ("none", "before", "after", "micro", "both"),
    "unscale": ("none", "before", "micro", "after clip"),
    "scaler": ("none", "on", "off", "bypassed"),
    "update": ("after", "none", "micro", "epoch"),
    "schedule": ("none", "window", "micro", "epoch", "before step"),
    "sync": ("none", "never", "branches", "ternary", "backward only", "forward only", "always"),
    "spend": ("inline", "helper"),
    "flush": (False, True),
    "noise": (False, True),
}


def _by_window(recipe: Recipe) -> bool:
    """True when a test ends a window, not a loop."""
    return recipe.count not in (*MICRO, "plain")


_PLAIN_SYNC = ("none", "never", "always")
_FREE = ("symbol", "config")

CLASHES: tuple[tuple[Callable[[Recipe], bool], dict[str, Any]], ...] = (
    (lambda r: not _by_window(r), {"guard": "if", "flush": False}),
    (lambda r: not _by_window(r) and r.zero in ("in guard", "start guard"), {"zero": "after"}),
    (lambda r: r.count in MICRO and r.sync not in _PLAIN_SYNC, {"sync": "always"}),
    (lambda r: r.count != "counter" and r.increment == "global", {"increment": "before"}),
    (lambda r: r.count == "counter" and r.variant % 4 != 2 and r.increment == "global", {"increment": "before"}),
    (lambda r: r.count == "counter" and r.sync not in _PLAIN_SYNC, {"increment": "before"}),
    (lambda r: r.count == "counter" and r.guard == "continue", {"increment": "before"}),
    (lambda r: r.count == "counter" and r.zero == "start guard", {"zero": "start"}),
    (lambda r: r.count in ("while", "ones by hand") and r.guard == "continue", {"guard": "if"}),
    (lambda r: r.guard == "continue" and "micro" in (r.schedule, r.update), {"guard": "if"}),
    (lambda r: r.scaler == "none", {"unscale": "none", "update": "none"}),
    (lambda r: r.scaler == "off" and r.shape in ("function", "method"), {"scaler": "on"}),
    # nobody could learn what the divisor is
    (lambda r: r.count == "plain" and r.share != "none" and r.window in _FREE, {"window": "literal"}),
    (lambda r: r.shape == "script", {"epochs": True}),
    (lambda r: r.shape == "script" and r.window == "config", {"window": "constant"}),
    (lambda r: not r.epochs and r.zero == "before epoch", {"zero": "after"}),
    (lambda r: not r.epochs and r.update == "epoch", {"update": "after"}),
    (lambda r: not r.epochs and r.schedule == "epoch", {"schedule": "window"}),
)
"""Choices that cannot go together, and what becomes of them."""


def normal(recipe: Recipe) -> Recipe:
    """The recipe without choices that cannot go together."""
    for clash, change in CLASHES:
        if clash(recipe):
            recipe = replace(recipe, **change)
    return recipe


def recipes(**fixed: Sequence[Any]) -> st.SearchStrategy[Recipe]:
    """Random recipes; `fixed` narrows the choices."""
    choices = CHOICES | fixed
    return (
        st.builds(Recipe, **{item.name: st.sampled_from(choices[item.name]) for item in fields(Recipe)})
        .map(normal)
        .filter(lambda recipe: not unlearned(recipe))
    )


def unlearned(recipe: Recipe) -> bool:
    """True for a window that the dry run does not learn yet.

    Every case has a test of its own that is expected to fail; when one passes, its line goes.
    """
    tests = COUNTS.get(recipe.count, ("",))
    text = tests[recipe.variant % len(tests)]
    long = recipe.size > 3 and (recipe.window in ("literal", "constant") or recipe.shape == "script")
    open_window = recipe.shape != "script" and recipe.window in ("symbol", "config")
    return (recipe.count == "micro while" and long) or (
        open_window and text in ("(i % {n}) + 1 == {n}", "not count < {n}")
    )


@dataclass(frozen=True)
class Loop:
    """A source and how the outside runs it."""

    source: str
    entry: Entry


@dataclass
class Page:
    """Lines of source with their indentation."""

    lines: list[str] = field(default_factory=list)
    depth: int = 0

    def __call__(self, *lines: str) -> None:
        self.lines += ["    " * self.depth + line for line in lines if line]

    @contextmanager
    def suite(self, head: str) -> Iterator[None]:
        """A compound statement; its body is written inside."""
        self(head)
        self.depth += 1
        yield
        self.depth -= 1

    @property
    def text(self) -> str:
        """The source."""
        return "\n".join(self.lines) + "\n"


def render(recipe: Recipe) -> Loop:
    """The source of a recipe."""
    return _Writer(recipe).write()


class _Writer:
    """Writes one recipe."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.page = Page()
        self.me = "self." if recipe.shape == "method" else ""
        self.model = f"{self.me}model"
        self.optimizer = f"{self.me}optimizer"
        self.scheduler = f"{self.me}scheduler"
        self.scaler = f"{self.me}scaler"
        self.loader = "loader"
        self.n = self._window()
        tests = COUNTS.get(recipe.count, ("True",))
        test = tests[recipe.variant % len(tests)]
        self.test = test.format(n=self.n, loader=self.loader)

    def _window(self) -> str:
        window = self.recipe.window
        if window == "literal":
            return str(self.recipe.size)
        if window == "constant":
            return "ACCUMULATION_STEPS"
        if window == "config":
            return "config.accumulation_steps"
        return "accumulation_steps"

    # ------------------------------------------------------------------------- the outside

    def write(self) -> Loop:
        """The whole file."""
        page, recipe = self.page, self.recipe
        page(
            "import contextlib",
            "import torch",
            "from torch.nn.parallel import DistributedDataParallel",
            "from torch.nn.utils import clip_grad_norm_",
            "",
        )
        if recipe.window == "constant" or (recipe.shape == "script" and recipe.window == "symbol"):
            page(f"{self.n} = {recipe.size}")
        if recipe.schedule != "none" and recipe.shape in ("made inside", "script"):
            page("UPDATES = 10")
        self._helpers()
        if recipe.shape == "script":
            page("from project import criterion, dataset, epochs, log")
            page("class Net(torch.nn.Module):", "    def forward(self, x): return x")
            page("loader = torch.utils.data.DataLoader(dataset)")
            self._make("Net()")
            self._epochs()
            return Loop(page.text, Entry())
        if recipe.shape == "method":
            return self._method()
        return self._function()

    def _names(self, *first: str) -> list[str]:
        recipe = self.recipe
        names = [*first, "loader", "criterion", "log"]
        names += ["epochs"] if recipe.epochs else []
        names += ["accumulation_steps"] if recipe.window == "symbol" else []
        names += ["config"] if recipe.window == "config" else []
        return names

    def _objects(self) -> list[str]:
        names = ["model", "optimizer"]
        names += ["scaler"] if self.recipe.scaler != "none" else []
        names += ["scheduler"] if self.recipe.schedule != "none" else []
        return names

    def _function(self) -> Loop:
        page, recipe = self.page, self.recipe
        inside = recipe.shape == "made inside"
        names = self._names("model") if inside else self._names(*self._objects())
        with page.suite(f"def train({', '.join(names)}):"):
            if inside:
                self._make("")
            elif recipe.sync != "none":
                page("model = DistributedDataParallel(model)")
            self._epochs()
        calls = 1 if recipe.epochs or inside else 2
        return Loop(page.text, Entry("train", calls, {"optimizer": ("model",)}))

    def _method(self) -> Loop:
        page, recipe = self.page, self.recipe
        with page.suite("class Trainer:"):
            with page.suite(f"def __init__(self, {', '.join(self._objects())}):"):
                wrapped = "DistributedDataParallel(model)" if recipe.sync != "none" else "model"
                page(f"self.model = {wrapped}")
                page(*(f"self.{name} = {name}" for name in self._objects()[1:]))
            if recipe.guard == "helper":
                with page.suite("def boundary(self, i, count, n, loader):"):
                    page(f"return {self.test.replace(self.n, 'n')}")
            if recipe.spend == "helper":
                with page.suite("def spend(self):"):
                    self._spend()
            with page.suite(f"def fit(self, {', '.join(self._names())}):"):
                self._epochs()
        return Loop(
            page.text,
            Entry("Trainer.fit", 1 if recipe.epochs else 2, {"optimizer": ("model",)}),
        )

    def _make(self, model: str) -> None:
        page, recipe = self.page, self.recipe
        page(f"model = {model}" if model else "")
        page("optimizer = torch.optim.SGD(model.parameters(), lr=0.1)")
        if recipe.schedule != "none":
            page("scheduler = torch.optim.lr_scheduler.StepLR(optimizer, UPDATES)")
        if recipe.scaler != "none":
            enabled = "enabled=False" if recipe.scaler == "off" else ""
            page(f"scaler = torch.cuda.amp.GradScaler({enabled})")
        if recipe.sync != "none":
            page("model = DistributedDataParallel(model)")

    def _helpers(self) -> None:
        page, recipe = self.page, self.recipe
        if recipe.share == "helper":
            with page.suite("def mean_loss(criterion, output, batch, n):"):
                page("loss = criterion(output, batch)", "return loss / n")
        if recipe.shape == "method":
            return
        if recipe.guard == "helper":
            with page.suite("def boundary(i, count, n, loader):"):
                page(f"return {self.test.replace(self.n, 'n')}")
        if recipe.spend == "helper":
            with page.suite(f"def spend({', '.join(self._objects())}):"):
                self._spend()

    # -------------------------------------------------------------------------- the loops

    def _epochs(self) -> None:
        page, recipe = self.page, self.recipe
        if recipe.count == "counter" and recipe.increment == "global":
            page("count = 0")
        if not recipe.epochs:
            self._epoch()
            return
        with page.suite("for epoch in range(epochs):"):
            if recipe.zero == "before epoch":
                page(self._zero())
            self._epoch()
            if recipe.update == "epoch":
                page(f"{self.scaler}.update()")
            if recipe.schedule == "epoch":
                page(f"{self.scheduler}.step()")

    def _epoch(self) -> None:
        page, recipe, count = self.page, self.recipe, self.recipe.count
        if recipe.noise:
            page("total = 0.0")
        if count == "counter" and recipe.increment != "global":
            page("count = 0")
        if count in ("while", "ones by hand"):
            page("i = 0", f"data = iter({self.loader})")
            with page.suite(f"while i < len({self.loader}):"):
                page("batch = next(data)")
                page("i += 1" if count == "ones by hand" else "")
                self._batch()
                page("i += 1" if count == "while" else "")
        elif count == "micro next":
            page(f"data = iter({self.loader})")
            with page.suite(f"for i in range(len({self.loader}) // {self.n}):"):
                self._batch()
        else:
            heads = {
                "index": f"for i, batch in enumerate({self.loader}):",
                "one": f"for i, batch in enumerate({self.loader}, start=1):",
            }
            with page.suite(heads.get(count, f"for batch in {self.loader}:")):
                self._batch()
        if recipe.flush:
            with page.suite(f"if len({self.loader}) % {self.n} != 0:"):
                self._spend_here()

    def _batch(self) -> None:
        page, recipe = self.page, self.recipe
        if recipe.zero == "start":
            page(self._zero())
        if recipe.zero == "start guard":
            first = "1 % " + self.n if recipe.count in ("one", "ones by hand") else "0"
            with page.suite(f"if i % {self.n} == {first}:"):
                page(self._zero())
        if recipe.count == "micro while":
            page("micro = 0")
            with page.suite(f"while micro < {self.n}:"):
                self._micro("batch[micro]")
                page("micro += 1")
        elif recipe.count == "micro chunks":
            with page.suite(f"for piece in batch.chunk({self.n}):"):
                self._micro("piece")
        elif recipe.count in ("micro range", "micro next"):
            with page.suite(f"for micro in range({self.n}):"):
                page("batch = next(data)" if recipe.count == "micro next" else "")
                self._micro("batch" if recipe.count == "micro next" else "batch[micro]")
        else:
            self._counted()
            return
        self._spend_here()
        self._afterwards()

    def _counted(self) -> None:
        page, recipe = self.page, self.recipe
        counter = recipe.count == "counter"
        early = counter and recipe.increment == "before"
        page("count += 1" if early else "")
        known = recipe.sync in ("branches", "ternary", "backward only", "forward only")
        if known:
            page(f"boundary_now = {self._asked()}")
        self._micro("batch")
        page("count += 1" if counter and not early else "")
        if recipe.count == "plain":
            self._spend_here()
        else:
            self._guarded("boundary_now" if known else self._asked())
        self._afterwards()

    def _asked(self) -> str:
        if self.recipe.guard != "helper":
            return self.test
        i = "0" if self.recipe.count == "counter" else "i"
        count = "count" if self.recipe.count == "counter" else "0"
        return f"{self.me}boundary({i}, {count}, {self.n}, {self.loader})"

    def _guarded(self, test: str) -> None:
        page, guard = self.page, self.recipe.guard
        if guard == "continue":
            with page.suite(f"if not ({test}):"):
                page("continue")
            self._window_ends()
            return
        if guard == "else":
            with page.suite(f"if not ({test}):"):
                page("log('accumulating')")
            head = "else:"
        elif guard == "variable":
            page(f"due = {test}")
            head = "if due:"
        elif guard == "flag":
            page("due = False")
            with page.suite(f"if {test}:"):
                page("due = True")
            head = "if due:"
        elif guard == "ternary":
            page(f"due = True if {test} else False")
            head = "if due:"
        elif guard == "walrus":
            head = f"if (due := ({test})):"
        elif guard == "lambda":
            page(f"is_due = lambda: {test}")
            head = "if is_due():"
        else:
            head = f"if {test}:"
        with page.suite(head):
            self._window_ends()

    def _window_ends(self) -> None:
        self._spend_here()
        if self.recipe.count == "counter" and "%" not in self.test:
            self.page("count = 0")

    def _afterwards(self) -> None:
        page, recipe = self.page, self.recipe
        page(f"{self.scaler}.update()" if recipe.update == "micro" else "")
        page(f"{self.scheduler}.step()" if recipe.schedule == "micro" else "")

    # --------------------------------------------------------------------- one micro-batch

    def _zero(self) -> str:
        return f"{self.optimizer}.zero_grad()"

    def _micro(self, batch: str) -> None:
        page, sync = self.page, self.recipe.sync
        quiet = f"with {self.model}.no_sync():"
        forward, backward = self._forward(batch), self._backward()
        either = f"with contextlib.nullcontext() if boundary_now else {self.model}.no_sync():"
        if sync == "branches":
            with page.suite("if boundary_now:"):
                page(*forward, *backward)
            with page.suite("else:"), page.suite(quiet):
                page(*forward, *backward)
        elif sync == "ternary":
            page(
                f"quiet = contextlib.nullcontext() if boundary_now else {self.model}.no_sync()",
            )
            with page.suite("with quiet:"):
                page(*forward, *backward)
        elif sync == "backward only":
            page(*forward)
            with page.suite(either):
                page(*backward)
        elif sync == "forward only":
            with page.suite(either):
                page(*forward)
            page(*backward)
        elif sync == "always":
            with page.suite(quiet):
                page(*forward, *backward)
        else:
            page(*forward, *backward)
        recipe = self.recipe
        page(f"{self.scaler}.unscale_({self.optimizer})" if recipe.unscale == "micro" else "")
        page(self._clipping() if recipe.clip == "micro" else "")
        page("total += loss.item()" if recipe.noise else "", "log(total)" if recipe.noise else "")

    def _forward(self, batch: str) -> list[str]:
        n, share = self.n, self.recipe.share
        lines = [f"output = {self.model}({batch})"]
        if share == "helper":
            return [*lines, f"loss = mean_loss(criterion, output, {batch}, {n})"]
        call = f"criterion(output, {batch})"
        if share == "divide":
            return [*lines, f"loss = {call} / {n}"]
        if share == "inverse first":
            return [*lines, f"loss = (1 / {n}) * {call}"]
        lines.append(f"loss = {call}")
        after = {
            "in place": [f"loss /= {n}"],
            "times inverse": [f"loss = loss * (1 / {n})"],
            "method": [f"loss = loss.div({n})"],
            "twice": [f"loss = loss / {n}", f"loss = loss / {n}"],
            "reassign": ["raw = loss", f"loss = raw / {n}"],
            "times in place": [f"loss *= 1 / {n}"],
            "multiplied": [f"loss = loss.mul(1 / {n})"],
        }
        return lines + after.get(share, [])

    def _backward(self) -> list[str]:
        recipe = self.recipe
        loss = f"loss / {self.n}" if recipe.share == "in the call" else "loss"
        lines = [self._zero()] if recipe.zero == "before backward" else []
        if recipe.scaler != "none":
            return [*lines, f"{self.scaler}.scale({loss}).backward()"]
        return [*lines, f"({loss}).backward()" if "/" in loss else "loss.backward()"]

    # ------------------------------------------------------------------------- one update

    def _clipping(self) -> str:
        return f"clip_grad_norm_({self.model}.parameters(), 1.0)"

    def _spend_here(self) -> None:
        if self.recipe.spend == "inline":
            self._spend()
        elif self.me:
            self.page("self.spend()")
        else:
            self.page(f"spend({', '.join(self._objects())})")

    def _spend(self) -> None:
        page, recipe = self.page, self.recipe
        page(self._zero() if recipe.zero == "in guard" else "")
        page(f"{self.scaler}.unscale_({self.optimizer})" if recipe.unscale == "before" else "")
        page(self._clipping() if recipe.clip in ("before", "both") else "")
        page(f"{self.scaler}.unscale_({self.optimizer})" if recipe.unscale == "after clip" else "")
        page(f"{self.scheduler}.step()" if recipe.schedule == "before step" else "")
        if recipe.scaler in ("on", "off"):
            page(f"{self.scaler}.step({self.optimizer})")
        else:
            page(f"{self.optimizer}.step()")
        page(self._clipping() if recipe.clip in ("after", "both") else "")
        page(self._zero() if recipe.zero == "between" else "")
        page(f"{self.scaler}.update()" if recipe.update == "after" else "")
        page(f"{self.scheduler}.step()" if recipe.schedule == "window" else "")
        page(self._zero() if recipe.zero == "after" else "")
        page(f"{self.model}.zero_grad()" if recipe.zero == "model" else "")
