"""DDP in other company: two networks, teachers, wrappers of the script's own, names bound only when distributed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

TEACHER = Draft(
    "ddp-teacher-and-student",
    """\
import copy
import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def build():
    return nn.Sequential(nn.Linear(5, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 3))


def main():
    dist.init_process_group("gloo")
    rank = int(os.environ["RANK"])
    student, teacher = build(), build()
    teacher = DDP(teacher)  # its batch norm has buffers to be broadcast
    teacher_without_ddp = teacher.module
    student = DDP(student)
    teacher_without_ddp.load_state_dict(student.module.state_dict())
    for p in teacher.parameters():
        p.requires_grad = False
    optimizer = torch.optim.SGD(student.parameters(), lr=0.3)
    rng = torch.Generator().manual_seed(rank)
    images = torch.randn(8, 4, 5, generator=rng)
    accum = 2
    for epoch in range(2):
        for it, x in enumerate(images):
            with torch.no_grad():
                soft = F.softmax(teacher(x) / 0.5, dim=1)
            if (it + 1) % accum:
                with student.no_sync():
                    loss = -(soft * F.log_softmax(student(x + 0.1), dim=1)).sum(1).mean()
                    (loss / accum).backward()
                continue
            loss = -(soft * F.log_softmax(student(x + 0.1), dim=1)).sum(1).mean()
            (loss / accum).backward()
            optimizer.step()
            optimizer.zero_grad()
            with torch.no_grad():
                for q, k in zip(student.module.parameters(), teacher_without_ddp.parameters()):
                    k.mul_(0.9).add_(q, alpha=0.1)
    dist.destroy_process_group()
    return student.module, teacher_without_ddp
""",
    ("missing-no-sync", "forward-outside-no-sync"),
    ranks=2,
)

STUDENT = """\
            if (it + 1) % accum:
                with student.no_sync():
                    loss = -(soft * F.log_softmax(student(x + 0.1), dim=1)).sum(1).mean()
                    (loss / accum).backward()
                continue
            loss = -(soft * F.log_softmax(student(x + 0.1), dim=1)).sum(1).mean()
            (loss / accum).backward()
"""
ALWAYS = """\
            loss = -(soft * F.log_softmax(student(x + 0.1), dim=1)).sum(1).mean()
            (loss / accum).backward()
            if (it + 1) % accum:
                continue
"""
TEACHERS = """\
            loss = -(soft * F.log_softmax(student(x + 0.1), dim=1)).sum(1).mean()
            with contextlib.nullcontext() if (it + 1) % accum == 0 else teacher.no_sync():
                (loss / accum).backward()
            if (it + 1) % accum:
                continue
"""


def teacher() -> Iterator[Case]:
    yield TEACHER.right("student-held-back")
    yield TEACHER.wrong("student-never-held-back", ((STUDENT, ALWAYS),), tempts=("missing-no-sync",))
    yield TEACHER.left("teacher-held-back", ((STUDENT, TEACHERS), ("import copy\n", "import contextlib\n")))
    yield TEACHER.right(
        "one-batch-an-update",
        (STUDENT, STUDENT[STUDENT.rindex("            loss = -(soft") :].replace("(loss / accum)", "loss")),
        ("    accum = 2\n", ""),
    )
    # the same construction by a factory: two networks, one of them frozen
    yield TEACHER.right(
        "wrapped-in-a-loop",
        (
            (
                "    teacher = DDP(teacher)  # its batch norm has buffers to be broadcast\n"
                "    teacher_without_ddp = teacher.module\n    student = DDP(student)\n"
            ),
            """\
    student, teacher = (DDP(network) for network in (student, teacher))
    teacher_without_ddp = teacher.module
""",
        ),
    )


OWN = Draft(
    "ddp-of-ones-own",
    """\
import os

import torch
import torch.distributed as dist
from torch import nn


class DistributedDataParallel(nn.Module):
    \"\"\"Averages each gradient as soon as it is there.\"\"\"

    def __init__(self, module):
        super().__init__()
        self.module = module
        self.world_size = dist.get_world_size()
        for p in module.parameters():
            dist.broadcast(p.data, 0)
            p.register_hook(self._average)

    def _average(self, grad):
        grad = grad / self.world_size
        dist.all_reduce(grad)
        return grad

    def forward(self, *inputs):
        return self.module(*inputs)


def main():
    dist.init_process_group("gloo")
    rank = int(os.environ["RANK"])
    model = DistributedDataParallel(nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    rng = torch.Generator().manual_seed(20 + rank)
    loader = [(torch.randn(3, 4, generator=rng), torch.randn(3, 1, generator=rng)) for _ in range(6)]
    accumulation = 3
    for epoch in range(2):
        for i, (x, y) in enumerate(loader):
            loss = (model(x) - y).pow(2).mean() / accumulation
            loss.backward()
            if (i + 1) % accumulation == 0:
                optimizer.step()
                optimizer.zero_grad()
    dist.destroy_process_group()
    return model.module
""",
    ("missing-no-sync",),
    ranks=2,
)

AT_THE_STEP = (
    (
        (
            """\
            p.register_hook(self._average)

    def _average(self, grad):
        grad = grad / self.world_size
"""
            "        dist.all_reduce(grad)\n        return grad\n"
        ),
        (
            """\

    def reduce_gradients(self):
        for p in self.module.parameters():
            dist.all_reduce(p.grad)
"""
            "            p.grad /= self.world_size\n"
        ),
    ),
    (
        "                optimizer.step()\n",
        "                model.reduce_gradients()\n                optimizer.step()\n",
    ),
    ('    """Averages each gradient as soon as it is there."""\n', '    """Averages when asked."""\n'),
)
APEX = (
    ("        self.module = module\n", "        self.module = module\n        self.delay_allreduce = False\n"),
    (
        "        grad = grad / self.world_size\n",
        "        if self.delay_allreduce:\n            return grad\n        grad = grad / self.world_size\n",
    ),
)
SUBCLASS = Draft(
    "ddp-subclass",
    """\
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Wrapper(DistributedDataParallel):
    \"\"\"Lets attributes of the wrapped network through.\"\"\"

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self.module, name)


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])

    def forward(self, x):
        for layer in self.layers:
            x = x + torch.tanh(layer(x))
        return x.sum(dim=1)

    def penalty(self):
        return sum(layer.weight.abs().sum() for layer in self.layers)


def train(net, batches, optimizer, every):
    net.train()
    for number, batch in enumerate(batches, 1):
        net.require_backward_grad_sync = number % every == 0
        loss = (net(batch) - batch.prod(dim=1)).abs().mean() / every
        loss.backward()
        if number % every == 0:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
    return loss.item() * every


def main():
    dist.init_process_group("gloo")
    batches = torch.randn(8, 4, 4, generator=torch.Generator().manual_seed(dist.get_rank() + 1))
    net = Wrapper(Scorer())
    optimizer = torch.optim.RMSprop(net.parameters(), lr=0.01)
    for epoch in range(2):
        print(epoch, f"{train(net, batches, optimizer, 4):.5f}", f"{net.penalty().item():.5f}")
    dist.destroy_process_group()
    return net.module
""",
    ("missing-no-sync", "step-without-sync"),
    ranks=2,
)


def own() -> Iterator[Case]:
    yield OWN.right("averages-in-hooks")
    yield OWN.right("averages-when-asked", *AT_THE_STEP)
    yield OWN.right("apex-like-flag-unused", *APEX)
    # hooks see each micro-batch's gradient, so a switch is sound only if the step averages what was not
    yield OWN.wrong("undivided", ((".mean() / accumulation", ".mean()"),), tempts=("unscaled-accumulation-loss",))
    yield SUBCLASS.right("flag-of-the-base-class")
    yield SUBCLASS.wrong(
        "flag-never-set",
        (("        net.require_backward_grad_sync = number % every == 0\n", ""),),
        tempts=("missing-no-sync",),
    )
    yield SUBCLASS.wrong(
        "never-synchronised",
        (("= number % every == 0\n        loss", "= False\n        loss"),),
        tempts=("step-without-sync",),
    )
    yield SUBCLASS.right("no-window", ("optimizer, 4):.5f}", "optimizer, 1):.5f}"))


BOUND = Draft(
    "ddp-bound-when-distributed",
    """\
import os

import torch
import torch.distributed as dist
from torch import nn


def setup():
    world_size = int(os.environ.get("WORLD_SIZE", "1"))
    if world_size > 1:
        dist.init_process_group("gloo")
        return dist.get_rank(), world_size
    return 0, world_size


def main():
    rank, world_size = setup()
    distributed = world_size > 1
    model = nn.Sequential(nn.Linear(6, 6), nn.ReLU(), nn.Linear(6, 2))
    if distributed:
        ddp_model = nn.parallel.DistributedDataParallel(model)
        forward = ddp_model
    else:
        forward = model
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    criterion = nn.CrossEntropyLoss()
    rng = torch.Generator().manual_seed(rank)
    data = [(torch.randn(4, 6, generator=rng), torch.randint(0, 2, (4,), generator=rng)) for _ in range(6)]
    steps = 2
    for epoch in range(2):
        for index, (features, labels) in enumerate(data):
            loss = criterion(forward(features), labels)
            (loss / steps).backward()
            if index % steps == steps - 1:
                optimizer.step()
                optimizer.zero_grad()
        if rank == 0:
            print(epoch, f"{loss.item():.4f}")
    if distributed:
        dist.destroy_process_group()
    return model
""",
    ("missing-no-sync",),
)

BOTH_RANKS = Draft(BOUND.skeleton, BOUND.text, BOUND.tempts, ranks=2)
EXPRESSION = (
    """\
    if distributed:
        ddp_model = nn.parallel.DistributedDataParallel(model)
        forward = ddp_model
    else:
        forward = model
""",
    "    forward = nn.parallel.DistributedDataParallel(model) if distributed else model\n",
)
SPARED = (
    "            loss = criterion(forward(features), labels)\n            (loss / steps).backward()\n",
    """\
            if distributed and index % steps != steps - 1:
                with ddp_model.no_sync():
                    loss = criterion(forward(features), labels)
                    (loss / steps).backward()
            else:
                loss = criterion(forward(features), labels)
                (loss / steps).backward()
""",
)
HALF_SPARED = (
    "            loss = criterion(forward(features), labels)\n            (loss / steps).backward()\n",
    """\
            loss = criterion(forward(features), labels)
            if distributed and index % steps != steps - 1:
                with ddp_model.no_sync():
                    (loss / steps).backward()
            else:
                (loss / steps).backward()
""",
)


def bound() -> Iterator[Case]:
    yield BOUND.right("alone")
    yield BOUND.right("alone-by-expression", EXPRESSION)
    yield BOUND.styled(SPARED).right("alone-held-back")
    yield BOUND.right("alone-held-back-backward-only", HALF_SPARED, tempts=("forward-outside-no-sync",))
    yield BOTH_RANKS.styled(SPARED).left("two-ranks", ((SPARED[1], SPARED[0]),))
    yield BOTH_RANKS.styled(SPARED).left(
        "two-ranks-held-back-backward-only", ((SPARED[1], HALF_SPARED[1]),), tempts=("forward-outside-no-sync",)
    )
    yield BOTH_RANKS.right("two-ranks-one-batch", ("    steps = 2\n", "    steps = 1\n"))


UNWRAPPED = Draft(
    "ddp-unwrapped-calls",
    """\
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(6, 3)
        self.decoder = nn.Linear(3, 6)

    def encode(self, x):
        return torch.tanh(self.encoder(x))

    def forward(self, x):
        return self.decoder(self.encode(x))


def average_gradients(parameters):
    for p in parameters:
        if p.grad is not None:
            dist.all_reduce(p.grad)
            p.grad.div_(dist.get_world_size())


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    net = DDP(Autoencoder())
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
    rng = torch.Generator().manual_seed(rank + 3)
    micro, window = [torch.randn(4, 6, generator=rng) for _ in range(9)], 3
    for epoch in range(2):
        for n, x in enumerate(micro):
            z = net.module.encode(x)
            loss = (net.module.decoder(z) - x).square().mean() / window
            loss.backward()
            if n % window == window - 1:
                average_gradients(net.parameters())
                optimizer.step()
                optimizer.zero_grad()
    dist.destroy_process_group()
    return net.module
""",
    ("step-without-sync", "missing-no-sync"),
    ranks=2,
)

PAST = """\
            z = net.module.encode(x)
            loss = (net.module.decoder(z) - x).square().mean() / window
            loss.backward()
"""
HELD = """\
            with net.no_sync():
                loss = (net(x) - x).square().mean() / window
                loss.backward()
"""
HELD_WITHIN = HELD.replace("net.no_sync()", "net.no_sync() if n % window < window - 1 else torch.enable_grad()")
THROUGH = "            loss = (net(x) - x).square().mean() / window\n            loss.backward()\n"


def unwrapped() -> Iterator[Case]:
    yield UNWRAPPED.right("averaged-by-hand")
    yield UNWRAPPED.right("held-back-and-averaged-by-hand", (PAST, HELD))
    yield UNWRAPPED.left("never-averaged", (("                average_gradients(net.parameters())\n", ""),))
    yield UNWRAPPED.styled((PAST, HELD)).wrong(
        "held-back-and-never-averaged",
        (("                average_gradients(net.parameters())\n", ""),),
        fine=((("                average_gradients(net.parameters())\n", ""), (HELD, HELD_WITHIN)),),
    )
    yield UNWRAPPED.left("averaged-twice", ((PAST, THROUGH),), tempts=("missing-no-sync",))
    yield UNWRAPPED.right(
        "coalesced",
        (PAST, HELD),
        (
            """\
    for p in parameters:
        if p.grad is not None:
            dist.all_reduce(p.grad)
            p.grad.div_(dist.get_world_size())
""",
            """\
    grads = [p.grad for p in parameters if p.grad is not None]
    flat = torch.cat([g.flatten() for g in grads])
    dist.all_reduce(flat)
    flat /= dist.get_world_size()
    for g, piece in zip(grads, flat.split([g.numel() for g in grads])):
        g.copy_(piece.view_as(g))
""",
        ),
    )


TWO = Draft(
    "two-networks-in-ddp",
    """\
import contextlib
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = int(os.environ["RANK"])
    text = DDP(nn.Sequential(nn.Linear(4, 5), nn.Tanh()))
    image = DDP(nn.Sequential(nn.Linear(7, 5), nn.Tanh()))
    temperature = 0.3
    optimizer = torch.optim.SGD([*text.parameters(), *image.parameters()], lr=0.4)
    rng = torch.Generator().manual_seed(rank)
    pairs = [(torch.randn(4, 4, generator=rng), torch.randn(4, 7, generator=rng)) for _ in range(6)]
    window = 2
    for epoch in range(2):
        for step, (t, i) in enumerate(pairs):
            update = (step + 1) % window == 0
            with contextlib.ExitStack() as stack:
                if not update:
                    stack.enter_context(text.no_sync())
                    stack.enter_context(image.no_sync())
                scores = text(t) @ image(i).T / temperature
                loss = nn.functional.cross_entropy(scores, torch.arange(4)) / window
                loss.backward()
            if update:
                optimizer.step()
                optimizer.zero_grad()
    dist.destroy_process_group()
    return text.module, image.module
""",
    ("missing-no-sync", "step-without-sync"),
    ranks=2,
)

STACK = """\
            with contextlib.ExitStack() as stack:
                if not update:
                    stack.enter_context(text.no_sync())
                    stack.enter_context(image.no_sync())
                scores = text(t) @ image(i).T / temperature
                loss = nn.functional.cross_entropy(scores, torch.arange(4)) / window
                loss.backward()
"""
TWO_WITH = """\
            with (
                contextlib.nullcontext() if update else text.no_sync(),
                contextlib.nullcontext() if update else image.no_sync(),
            ):
                scores = text(t) @ image(i).T / temperature
                loss = nn.functional.cross_entropy(scores, torch.arange(4)) / window
                loss.backward()
"""


def two() -> Iterator[Case]:
    yield TWO.right("exit-stack")
    yield TWO.right("two-contexts", (STACK, TWO_WITH))
    yield TWO.left("one-held-back", (("                    stack.enter_context(image.no_sync())\n", ""),))
    yield TWO.left(
        "none-held-back",
        (
            (
                STACK,
                """\
            scores = text(t) @ image(i).T / temperature
            loss = nn.functional.cross_entropy(scores, torch.arange(4)) / window
            loss.backward()
""",
            ),
        ),
    )
    yield TWO.wrong(
        "one-never-synchronised",
        (
            (
                (
                    "                if not update:\n"
                    "                    stack.enter_context(text.no_sync())\n"
                    "                    stack"
                ),
                (
                    "                if not update:\n"
                    "                    stack.enter_context(text.no_sync())\n"
                    "                stack"
                ),
            ),
        ),
    )
    yield TWO.wrong(
        "turned-round",
        (("                if not update:\n", "                if update:\n"),),
    )


UNUSED = Draft(
    "ddp-with-unused-parameters",
    """\
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Mixture(nn.Module):
    \"\"\"Each task has its head; a batch belongs to one task.\"\"\"

    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(5, 6)
        self.heads = nn.ModuleList([nn.Linear(6, 1) for _ in range(2)])

    def forward(self, x, task):
        return self.heads[task](torch.relu(self.trunk(x)))


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model = DDP(Mixture(), find_unused_parameters=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    rng = torch.Generator().manual_seed(rank)
    batches = [(torch.randn(3, 5, generator=rng), torch.randn(3, 1, generator=rng), n % 2) for n in range(8)]
    for epoch in range(2):
        for n, (x, y, task) in enumerate(batches):
            loss = (model(x, task) - y).square().mean() / 2
            loss.backward()
            if n % 2 == 1:
                optimizer.step()
                optimizer.zero_grad()
    dist.destroy_process_group()
    return model.module
""",
    ("missing-no-sync",),
    ranks=2,
)


PLAINLY = "            loss = (model(x, task) - y).square().mean() / 2\n            loss.backward()\n"
SPARING = """\
            with model.no_sync() if n % 2 == 0 else contextlib.nullcontext():
                loss = (model(x, task) - y).square().mean() / 2
                loss.backward()
"""
ALL_SPARED = """\
            with model.no_sync():
                loss = (model(x, task) - y).square().mean() / 2
                loss.backward()
            if n % 2 == 1:
                for p in model.parameters():
                    dist.all_reduce(p.grad)
                    p.grad /= dist.get_world_size()
"""


def unused() -> Iterator[Case]:
    sparing = UNUSED.styled(("import os\n", "import contextlib\nimport os\n"), (PLAINLY, SPARING))
    yield sparing.right("held-back")
    # torch remembers over the window which parameters were used, so holding back is right here too
    yield sparing.left("a-head-for-each-micro-batch", ((SPARING, PLAINLY),))
    yield UNUSED.right(
        "held-back-and-averaged-by-hand",
        (PLAINLY + "            if n % 2 == 1:\n", ALL_SPARED),
        tempts=("step-without-sync",),
    )
    yield UNUSED.right(
        "one-head-a-window",
        ("torch.randn(3, 1, generator=rng), n % 2)", "torch.randn(3, 1, generator=rng), n // 2 % 2)"),
        ("    for epoch in range(2):\n", "    for epoch in range(1):\n"),
    )


def cases() -> Iterator[Case]:
    yield from teacher()
    yield from own()
    yield from bound()
    yield from unwrapped()
    yield from two()
    yield from unused()
