"""Steps that call a closure: L-BFGS and its relatives, where the step itself makes the gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

FIT = Draft(
    "fit-by-lbfgs",
    """\
import torch

torch.set_default_dtype(torch.float64)


class Surface(torch.nn.Module):
    '''Two bumps on a slope; what a calorimeter is thought to have seen.'''

    def __init__(self):
        super().__init__()
        self.height = torch.nn.Parameter(torch.tensor([1.0, 0.5]))
        self.place = torch.nn.Parameter(torch.tensor([-0.6, 0.9]))
        self.slope = torch.nn.Parameter(torch.tensor(0.1))

    def forward(self, x):
        bumps = self.height * torch.exp(-((x[:, None] - self.place) ** 2))
        return bumps.sum(1) + self.slope * x


def measured(batches):
    x = torch.linspace(-3, 3, 12 * batches)
    y = 2.0 * torch.exp(-((x + 1) ** 2)) + torch.exp(-((x - 1.2) ** 2)) - 0.2 * x
    order = torch.randperm(len(x))
    return list(zip((x[order]).split(12), y[order].split(12)))


def fit(model, data, rounds=3):
    optimizer = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=3, history_size=4)
    cooling = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.7)
    evaluations = 0

    def closure():
        nonlocal evaluations
        evaluations += 1
        optimizer.zero_grad()
        total = 0.0
        for x, y in data:
            loss = (model(x) - y).pow(2).mean() / len(data)
            loss.backward()
            total += loss.item()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.8)
        return total

    for number in range(rounds):
        first = optimizer.step(closure)
        cooling.step()
        print(f"round {number} loss {first:.6f} evaluations {evaluations}")


def main():
    torch.manual_seed(8)
    model = Surface()
    fit(model, measured(4))
    return model
""",
    ("missing-zero-grad", "unscaled-accumulation-loss", "clip-before-backward"),
)

F_CLEAR = "        optimizer.zero_grad()\n"
F_CLIP = "        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.8)\n"
F_STEP = "        first = optimizer.step(closure)\n"
F_COOL = "        cooling.step()\n"
F_LOSS = "            loss = (model(x) - y).pow(2).mean() / len(data)\n"
SUMS = FIT.styled(
    (
        F_LOSS + "            loss.backward()\n            total += loss.item()\n",
        "            total = total + (model(x) - y).pow(2).mean()\n",
    ),
    (
        F_CLIP + "        return total\n",
        "        (total / len(data)).backward()\n" + F_CLIP + "        return total.item()\n",
    ),
)


def cases() -> Iterator[Case]:
    yield FIT.right("gradients-gathered-in-the-closure")
    yield SUMS.right("one-backward-for-all-batches", tempts=("loss-graph-leak",))
    yield FIT.wrong(
        "closure-does-not-clear",
        ((F_CLEAR, ""),),
        tempts=("missing-zero-grad",),
    )
    yield FIT.wrong(
        "cooled-in-front-of-the-step",
        ((F_STEP + F_COOL, F_COOL + F_STEP),),
        tempts=("scheduler-before-optimizer",),
    )
    yield FIT.wrong(
        "limited-when-the-step-is-done",
        ((F_CLIP, ""), (F_STEP, F_STEP + F_CLIP)),
        tempts=("clip-after-step",),
    )
