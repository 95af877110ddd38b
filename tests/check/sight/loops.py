"""Loops that cannot be judged as they stand, each with the reason and the first line that is proposed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Loop:
    """A loop, why it was not judged, and the line that would cure it (its row, for a comment)."""

    name: str
    text: str
    kind: str
    reason: str
    cure: str
    row: int | None = None
    partly: bool = False

    def __str__(self) -> str:
        """Its name."""
        return self.name


LOOPS = (
    Loop(
        "an optimizer out of a dictionary",
        """\
def train(state, model, loader):
    optimizer = state[0]
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
""",
        "unknown-optimizer",
        "nobody in sight makes `optimizer`",
        'roles = {optimizer = "optimizer"}',
    ),
    Loop(
        "an optimizer by a computed name",
        """\
class Trainer:
    def step(self, x, index):
        mover = getattr(self, f"mover{index}")
        self.model(x).mean().backward()
        mover.step()
        self.model.zero_grad()
""",
        "unknown-optimizer",
        "nobody in sight makes `mover`",
        'roles = {mover = "optimizer"}',
    ),
    Loop(
        "an optimizer by an unusual name",
        """\
class Trainer:
    def fit(self, loader):
        for x in loader:
            self.model.zero_grad()
            self.model(x).mean().backward()
            self.solver.step()
""",
        "unknown-optimizer",
        "nobody in sight makes `self.solver`",
        'roles = {"self.solver" = "optimizer"}',
    ),
    Loop(
        "optimizers in a list, by a name too short for a whole project",
        """\
def train(model, loader, movers):
    for x in loader:
        model.zero_grad()
        model(x).mean().backward()
        for m in movers:
            m.step()
""",
        "unknown-optimizer",
        "nobody in sight makes `m`",
        "# gradlint: assume m=optimizer",
        6,
    ),
    Loop(
        "what a scaler steps",
        """\
def train(model, loader, scaler, parts):
    sgd = parts["sgd"]
    for x in loader:
        model.zero_grad()
        scaler.scale(model(x).mean()).backward()
        scaler.step(sgd)
        scaler.update()
""",
        "unknown-optimizer",
        "nobody in sight makes `sgd`",
        'roles = {sgd = "optimizer"}',
    ),
    Loop(
        "a helper of another file that steps",
        """\
from losses import optimize_fn

def train(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimize_fn(optimizer, model.parameters())
""",
        "unknown-call",
        "`optimize_fn` is given the optimizer, and cannot be followed",
        'roles = {optimize_fn = "step"}',
    ),
    Loop(
        "a project's own precision object",
        """\
class Loop:
    def run(self):
        for x in self.loader:
            self.precision.zero_grad()
            self.precision.backward(self.model(x).mean())
            self.precision.optimize(self.moves)
""",
        "unknown-call",
        "`precision.optimize` is not in sight, and nothing else steps an optimizer",
        'roles = {"precision.optimize" = "step"}',
    ),
    Loop(
        "several optimizers under names",
        """\
def train(nets, optims, loader):
    for batch in loader:
        optims.zero_grad()
        nets.disc(batch).mean().backward()
        optims.step("disc")
""",
        "unknown-call",
        "`optims.step` is given the optimizer, and cannot be followed",
        'roles = {"optims.step" = "step"}',
    ),
    Loop(
        "a base class that does the rest",
        """\
from base import BaseSolver

class Solver(BaseSolver):
    def exec(self):
        for x in self.loader:
            loss = self.model(x).mean()
            self.backward(loss)
""",
        "unknown-call",
        "`self.backward` is not in sight, and nothing else steps an optimizer",
        'roles = {"self.backward" = "update"}',
    ),
    Loop(
        "a base class that makes whole updates, beside gradients of the input",
        """\
from base import TrainerX

class Cross(TrainerX):
    def forward_backward(self, batch):
        loss_d = self.D(batch).mean()
        loss_d.backward()
        loss = self.F(batch + self.eps).mean()
        self.model_backward_and_update(loss, "F")
""",
        "unknown-call",
        "`self.model_backward_and_update` is not in sight, and nothing else steps an optimizer",
        'roles = {"self.model_backward_and_update" = "update"}',
    ),
    Loop(
        "an optimizer of the project's own that is given the loss",
        """\
class Algorithm:
    def learn(self, batches):
        for batch in batches:
            actor_loss = self.policy(batch).mean()
            self.policy_optim.step(actor_loss)

NAME = "backward("; torch.autograd.backward
""",
        "unknown-call",
        "`self.policy_optim.step(actor_loss)` makes a whole update out of sight",
        'roles = {"policy_optim.step" = "update"}',
    ),
    Loop(
        "a class with a half in each method",
        """\
class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer

    def forward(self, x):
        loss = self.model(x).mean()
        loss.backward()
        return loss.item()

    def update(self):
        self.optimizer.step()
        self.optimizer.zero_grad()
""",
        "no-step",
        "nothing in sight steps an optimizer after `loss.backward()`",
        "# gradlint: assume after=forward",
        10,
    ),
    Loop(
        "two functions, each with a half",
        """\
def compute(model, x):
    loss = model(x).mean()
    loss.backward()

def spend(optimizer):
    optimizer.step()
    optimizer.zero_grad()
""",
        "no-step",
        "nothing in sight steps an optimizer after `loss.backward()`",
        "# gradlint: assume after=compute",
        5,
    ),
    Loop(
        "halves, of which the second steps what nobody knows",
        """\
class Trainer:
    def forward(self, x):
        self.accelerator.backward(self.model(x).mean())

    def update(self, index):
        mover = getattr(self, f"mover{index}")
        mover.step()
        mover.zero_grad = None
""",
        "unknown-optimizer",
        "nobody in sight makes `mover`",
        'roles = {mover = "optimizer"}',
    ),
    Loop(
        "a helper of another file that runs backward",
        """\
from helpers import backprop

def train(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        backprop(model(x).mean())
        optimizer.step()

def scale(scaler, x):
    return scaler.scale(x), "scaler.backward("
NAME = torch.autograd.backward
""",
        "unknown-call",
        "`backprop` cannot be followed, and nothing else runs backward",
        'roles = {backprop = "backward"}',
    ),
    Loop(
        "an optimizer that looks like an engine",
        """\
def train(net, loader, sgd_group):
    for x in loader:
        sgd_group.zero_grad()
        net(x).mean().backward()
        show(sgd_group.parameters)
        sgd_group.step()
""",
        "unknown-optimizer",
        "`sgd_group` looks like an engine that keeps its own books",
        'roles = {sgd_group = "optimizer"}',
    ),
    Loop(
        "a mixin that trains by methods of others",
        """\
class Update:
    def training_epoch(self):
        for self.batch in self.loader:
            self.optimizer.zero_grad()
            self.loss = self.criterion()
            self.backward()
            self.optimizer_step()
""",
        "unknown-call",
        "`self.backward()` is not in sight",
        'roles = {"self.backward" = "backward", "self.optimizer_step" = "step"}',
    ),
    Loop(
        "a step that no run comes to",
        """\
class Train:
    def run(self):
        self.optimizer.zero_grad()
        for i, x in enumerate(self.loader):
            self.model(x).mean().backward()
            self.finish()
            self.count += 1

    def finish(self):
        if not hasattr(self.state, "last"):
            self.last = self.count
        if self.count - self.last == self.accumulate:
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.last = self.count
""",
        "never-reached",
        "`self.optimizer.step()` was never reached",
        "# gradlint: assume window=self.accumulate",
        12,
    ),
    Loop(
        "a window that somebody else counts",
        """\
def train(model, loader, optimizer, policy):
    for i, x in enumerate(loader):
        model(x).mean().backward()
        if policy(i):
            optimizer.step()
            optimizer.zero_grad()
""",
        "unknown-window",
        "nobody in sight can say when `policy(i)` is true",
        "# gradlint: assume window=4",
        4,
        partly=True,
    ),
    Loop(
        "a flag that somebody else sets",
        """\
from steps import forward

def train(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        loss, ready = forward(model, x)
        loss.mean().backward()
        if ready:
            optimizer.step()
""",
        "unknown-window",
        "nobody in sight can say when `ready` is true",
        "# gradlint: assume ready=1",
        8,
        partly=True,
    ),
    Loop(
        "a window whose name stands beside",
        """\
def train(model, loader, optimizer, args, policy):
    for i, x in enumerate(loader):
        (model(x).mean() / args.accum_steps).backward()
        if policy(i, args.accum_steps):
            optimizer.step()
            optimizer.zero_grad()
""",
        "unknown-window",
        "nobody in sight can say when `policy(i, args.accum_steps)` is true",
        "# gradlint: assume window=args.accum_steps",
        4,
        partly=True,
    ),
    Loop(
        "a call within an update that is given the optimizer",
        """\
from tools import freshen_gradients

def train(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        freshen_gradients(optimizer)
        optimizer.step()
""",
        "unknown-call",
        "`freshen_gradients(optimizer)` cannot be followed",
        'roles = {freshen_gradients = "harmless"}',
        partly=True,
    ),
    Loop(
        "a call within an update that clears, by its name",
        """\
from tools import zero_all_grads

def train(model, loader, optimizer):
    for x in loader:
        zero_all_grads(optimizer)
        model(x).mean().backward()
        optimizer.step()
""",
        "unknown-call",
        "`zero_all_grads(optimizer)` cannot be followed",
        'roles = {zero_all_grads = "clear"}',
        partly=True,
    ),
    Loop(
        "layers that are trained in a network",
        """\
import torch

class Trainer:
    def __init__(self, unet):
        self.unet = unet
        self.layers = Layers(unet.attention)
        self.opt_c = torch.optim.Adam(self.layers.parameters())
        self.opt_d = torch.optim.Adam(self.layers.parameters())

    def step(self, x):
        self.opt_c.zero_grad()
        self.opt_d.zero_grad()
        self.unet(x).mean().backward()
        self.opt_c.step()
        self.opt_d.step()
""",
        "other-parameters",
        "the loss of `self.unet(x).mean().backward()` comes from other models than `self.opt_c` was made for",
        'roles = {Layers = "wrapper"}',
        partly=True,
    ),
    Loop(
        "a run that is cut short",
        """\
SIZE = 1000

def train(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        loss = 0
        for a in range(SIZE):
            for b in range(SIZE):
                for c in range(SIZE):
                    for d in range(SIZE):
                        loss = loss + model(x, a, b, c, d).mean()
        loss.backward()
        optimizer.step()
""",
        "too-long",
        "the loop is too long to run to its end",
        "# gradlint: assume SIZE=2",
        10,
    ),
    Loop(
        "a script whose run is cut short before its loop begins",
        """\
import torch

SIZE = 1000
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
costs = {}
for a in range(SIZE):
    for b in range(SIZE):
        for c in range(SIZE):
            for d in range(SIZE):
                costs[a, b, c, d] = a * cost(b, c, d)
                costs[b, a, c, d] = b * cost(a, c, d)
for x in loader:
    optimizer.zero_grad()
    model(x, costs).mean().backward()
    optimizer.step()
""",
        "too-long",
        "the loop is too long to run to its end",
        "# gradlint: assume SIZE=2",
        9,
    ),
)
