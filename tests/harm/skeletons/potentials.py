"""Energies and forces of molecules: slopes are wanted where others switch them off; callbacks do the chores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

FORCES = Draft(
    "forces-and-callbacks",
    """\
import torch
from torch import Tensor, nn

torch.set_default_dtype(torch.float64)


class Potential(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 14), nn.SiLU(), nn.Dropout(0.1), nn.Linear(14, 1))

    def forward(self, place: Tensor) -> Tensor:
        return self.net(place).sum(dim=(1, 2))


def predict(model: Potential, place: Tensor, create_graph: bool) -> tuple[Tensor, Tensor]:
    place = place.clone().requires_grad_(True)
    energy = model(place)
    (slope,) = torch.autograd.grad(energy.sum(), place, create_graph=create_graph)
    return energy, -slope


class Callback:
    def on_update_end(self, run: "Run") -> None: ...

    def on_epoch_end(self, run: "Run") -> None: ...


class Averaging(Callback):
    def __init__(self, model: nn.Module, rate: float = 0.7) -> None:
        self.rate = rate
        self.shadow = [p.detach().clone() for p in model.parameters()]

    def on_update_end(self, run: "Run") -> None:
        with torch.no_grad():
            for slow, fast in zip(self.shadow, run.params):
                slow.lerp_(fast, 1 - self.rate)


class Validation(Callback):
    def __init__(self, held_out: tuple[Tensor, Tensor]) -> None:
        self.held_out = held_out

    def on_epoch_end(self, run: "Run") -> None:
        place, wanted = self.held_out
        run.model.eval()
        _, force = predict(run.model, place, create_graph=False)
        print(f"epoch {run.epoch} force error {(force - wanted).abs().mean():.5f} loss {run.total / run.updates:.5f}")
        run.model.train()


class Run:
    def __init__(self, model: Potential, batches: list[tuple[Tensor, Tensor]], callbacks: list[Callback]) -> None:
        self.model = model
        self.batches = batches
        self.callbacks = [Averaging(model), *callbacks]
        self.params = list(model.parameters())
        self.optimizer = torch.optim.AdamW(self.params, lr=0.01)
        self.decay = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, 0.9)
        self.epoch = self.updates = 0
        self.total = 0.0

    def tell(self, event: str) -> None:
        for callback in self.callbacks:
            getattr(callback, event)(self)

    def learn(self, place: Tensor, wanted: Tensor) -> None:
        energy, force = predict(self.model, place, create_graph=True)
        self.optimizer.zero_grad()
        loss = (force - wanted).pow(2).mean() + 0.01 * (energy - place.pow(2).sum(dim=(1, 2)) / 2).pow(2).mean()
        loss.backward()
        nn.utils.clip_grad_norm_(self.params, 0.3)
        self.optimizer.step()
        self.total += loss.item()
        self.updates += 1
        self.tell("on_update_end")

    def go(self, epochs: int) -> None:
        for self.epoch in range(epochs):
            for place, wanted in self.batches:
                self.learn(place, wanted)
            self.decay.step()
            self.tell("on_epoch_end")


def springs(count: int) -> list[tuple[Tensor, Tensor]]:
    places = [torch.randn(5, 4, 3) for _ in range(count)]
    return [(place, -place) for place in places]


def main() -> Potential:
    torch.manual_seed(3)
    model = Potential()
    *batches, held_out = springs(5)
    Run(model, batches, [Validation(held_out)]).go(epochs=3)
    return model
""",
    ("validation-without-no-grad", "missing-train-mode"),
)

Q_PARAMS = "        self.params = list(model.parameters())\n"
Q_CLEAR = "        self.optimizer.zero_grad()\n"
Q_CLIP = "        nn.utils.clip_grad_norm_(self.params, 0.3)\n"
Q_STEP = "        self.optimizer.step()\n"
Q_TOTAL = "        self.total += loss.item()\n"
Q_DECAY = "            self.decay.step()\n"
Q_FOR = "            for place, wanted in self.batches:\n"
Q_LEARN = "                self.learn(place, wanted)\n"

# The average walks over the parameters too: a list is what all of them need.
NO_AVERAGE = FORCES.styled(("[Averaging(model), *callbacks]", "list(callbacks)"))


def cases() -> Iterator[Case]:
    yield FORCES.right("forces-need-slopes-in-validation-too")
    yield FORCES.right(
        "slopes-of-validation-cleared-by-the-next-lesson",
        (
            "        _, force = predict(run.model, place, create_graph=False)\n",
            """\
        place = place.clone().requires_grad_(True)
        run.model(place).sum().backward()  # fills the weights too; they are cleared in front of the next backward
        force = -place.grad
""",
        ),
        tempts=("validation-without-no-grad", "missing-zero-grad"),
    )
    yield NO_AVERAGE.right(
        "one-iterator-told-apart",
        (
            Q_PARAMS,
            "        given, kept = itertools.tee(model.parameters())\n        self.params = [*kept]\n",
        ),
        ("AdamW(self.params, lr", "AdamW(given, lr"),
        ("import torch\nfrom torch import Tensor", "import itertools\n\nimport torch\nfrom torch import Tensor"),
        tempts=("clip-exhausted-parameters",),
    )
    yield NO_AVERAGE.wrong(
        "iterator-eaten-by-the-optimizer",
        ((Q_PARAMS, "        self.params = model.parameters()\n"),),
        tempts=("clip-exhausted-parameters",),
    )
    yield FORCES.wrong(
        "decays-in-front-of-the-epoch-and-keeps-totals",
        ((Q_DECAY, ""), (Q_FOR, Q_DECAY + Q_FOR)),
        ((Q_TOTAL, "        self.total += loss\n"),),
        fine=(
            ((Q_TOTAL, "        self.total += loss.detach()\n"),),
            ((Q_DECAY, ""), (Q_FOR, Q_DECAY + Q_FOR), (Q_TOTAL, "        self.total += loss.detach()\n")),
        ),
        tempts=("scheduler-before-optimizer", "loss-graph-leak"),
    )
    yield FORCES.wrong(
        "validation-leaves-the-model-asleep",
        (("        run.model.train()\n", ""),),
        fine=(
            (
                ("        run.model.train()\n", ""),
                (
                    "        energy, force = predict(self",
                    "        self.model.train()\n        energy, force = predict(self",
                ),
            ),
        ),
        tempts=("missing-train-mode",),
    )
