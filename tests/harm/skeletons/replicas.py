"""Two replicas: windows that are held back from the others, gradients averaged by hand, and Accelerate's windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

HELD = Draft(
    "worker-that-holds-back",
    """\
import contextlib

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Worker:
    def __init__(self, dataset, grad_accum=3, max_norm=0.5):
        net = torch.nn.Sequential(torch.nn.Linear(5, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
        self.model = DDP(net)
        self.sampler = DistributedSampler(dataset, shuffle=True, seed=13, drop_last=True)
        self.loader = DataLoader(dataset, batch_size=2, sampler=self.sampler)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.2, momentum=0.9)
        self.grad_accum = grad_accum
        self.max_norm = max_norm

    def reach(self, sync):
        return contextlib.nullcontext() if sync else self.model.no_sync()

    def apply(self):
        norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return norm.item()

    def run_epoch(self, epoch):
        self.sampler.set_epoch(epoch)
        norms = []
        for step, (x, y) in enumerate(self.loader, start=1):
            sync = step % self.grad_accum == 0
            with self.reach(sync):
                loss = F.smooth_l1_loss(self.model(x), y)
                (loss / self.grad_accum).backward()
            if sync:
                norms.append(self.apply())
        return norms


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(21)
    dataset = TensorDataset(torch.randn(24, 5), torch.randn(24, 1) * 3)
    worker = Worker(dataset)
    for epoch in range(2):
        norms = worker.run_epoch(epoch)
        if dist.get_rank() == 0:
            print(epoch, *(f"{norm:.4f}" for norm in norms))
    return worker.model
""",
    ("missing-no-sync", "step-without-sync"),
    ranks=2,
)

H_BLOCK = """\
            with self.reach(sync):
                loss = F.smooth_l1_loss(self.model(x), y)
                (loss / self.grad_accum).backward()
"""
H_EPOCH = "        self.sampler.set_epoch(epoch)\n"
H_RETURN = "        return contextlib.nullcontext() if sync else self.model.no_sync()\n"


def held() -> Iterator[Case]:
    yield HELD.right("context-from-a-method")
    yield HELD.right(
        "other-polarity",
        (
            "    def reach(self, sync):\n" + H_RETURN,
            "    def reach(self, more):\n        return self.model.no_sync() if more else contextlib.nullcontext()\n",
        ),
        ("            with self.reach(sync):", "            with self.reach(more=bool(step % self.grad_accum)):"),
    )
    yield HELD.right(
        "flag-in-place-of-the-context",
        (
            H_BLOCK,
            """\
            self.model.require_backward_grad_sync = sync
            loss = F.smooth_l1_loss(self.model(x), y)
            (loss / self.grad_accum).backward()
""",
        ),
    )
    yield HELD.right(
        "walk-that-is-never-shuffled",
        (H_EPOCH, ""),
        ("shuffle=True, seed=13,", "shuffle=False,"),
        ("    def run_epoch(self, epoch):", "    def run_epoch(self, _):"),
        tempts=("missing-set-epoch",),
    )
    yield HELD.wrong(
        "forward-in-front-of-the-block",
        (
            (
                H_BLOCK,
                """\
            loss = F.smooth_l1_loss(self.model(x), y)
            with self.reach(sync):
                (loss / self.grad_accum).backward()
""",
            ),
        ),
        tempts=("forward-outside-no-sync",),
    )
    yield HELD.wrong(
        "forward-outside-and-same-walk",
        (
            (
                H_BLOCK,
                """\
            loss = F.smooth_l1_loss(self.model(x), y)
            with self.reach(sync):
                (loss / self.grad_accum).backward()
""",
            ),
        ),
        ((H_EPOCH, ""),),
        tempts=("forward-outside-no-sync", "missing-set-epoch"),
    )
    yield HELD.right(
        "each-replica-for-itself-then-one-mean",
        (
            H_BLOCK,
            """\
            with self.model.no_sync():
                loss = F.smooth_l1_loss(self.model(x), y)
                (loss / self.grad_accum).backward()
""",
        ),
        ("    def reach(self, sync):\n" + H_RETURN + "\n", ""),
        (
            "    def apply(self):\n",
            """\
    def apply(self):
        for p in self.model.parameters():
            dist.all_reduce(p.grad)
            p.grad.div_(dist.get_world_size())
""",
        ),
        ("import contextlib\n\n", ""),
        tempts=("step-without-sync",),
    )
    yield HELD.wrong(
        "polarity-turned-round",
        ((H_RETURN, "        return self.model.no_sync() if sync else contextlib.nullcontext()\n"),),
        tempts=("step-without-sync",),
    )
    yield HELD.wrong(
        "every-backward-reaches-the-others",
        (
            ("    def reach(self, sync):\n" + H_RETURN + "\n", ""),
            (
                H_BLOCK,
                """\
            loss = F.smooth_l1_loss(self.model(x), y)
            (loss / self.grad_accum).backward()
""",
            ),
        ),
        tempts=("missing-no-sync",),
    )
    yield HELD.wrong("same-walk-in-each-epoch", ((H_EPOCH, ""),), tempts=("missing-set-epoch",))


AVERAGED = Draft(
    "gradients-averaged-by-hand",
    """\
import torch
import torch.distributed as dist

torch.set_default_dtype(torch.float64)


def average_gradients(model):
    size = float(dist.get_world_size())
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= size


def my_part(x, y, batch):
    rank, world = dist.get_rank(), dist.get_world_size()
    return list(zip(x[rank::world].split(batch), y[rank::world].split(batch)))


def main():
    dist.init_process_group(backend="gloo")
    torch.manual_seed(17)
    model = torch.nn.Sequential(torch.nn.Linear(3, 6), torch.nn.Softplus(), torch.nn.Linear(6, 1))
    for parameter in model.parameters():
        dist.broadcast(parameter.data, src=0)
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.8)
    batches = my_part(torch.randn(40, 3), torch.randn(40, 1), batch=3)
    accumulate = 3

    for epoch in range(2):
        waiting = 0
        for x, y in batches:
            loss = (model(x) - y).pow(2).mean()
            (loss / accumulate).backward()
            waiting += 1
            if waiting == accumulate:
                average_gradients(model)
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
                waiting = 0
        if waiting:
            for parameter in model.parameters():
                parameter.grad *= accumulate / waiting
            average_gradients(model)
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
        scheduler.step()
        if dist.get_rank() == 0:
            print(f"{epoch}: {loss.item():.4f} at {scheduler.get_last_lr()[0]:.4f}")
    return model
""",
    ("step-without-sync", "dropped-accumulation-tail"),
    ranks=2,
)

V_REST = """\
            average_gradients(model)
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
        scheduler"""


def averaged() -> Iterator[Case]:
    yield AVERAGED.right("rest-is-averaged-too")
    yield AVERAGED.right(
        "rest-goes-on-in-the-next-epoch",
        ("        waiting = 0\n        for x", "        for x"),
        (
            "    for epoch in range(2):\n",
            "    waiting = 0  # a window may reach over the end of an epoch\n    for epoch in range(2):\n",
        ),
        (
            """\
        if waiting:
            for parameter in model.parameters():
                parameter.grad *= accumulate / waiting
"""
            + V_REST,
            "        scheduler",
        ),
    )
    yield AVERAGED.wrong(
        "rest-is-not-averaged",
        ((V_REST, V_REST.replace("            average_gradients(model)\n", "")),),
        tempts=("step-without-sync",),
    )
    yield AVERAGED.wrong(
        "rest-is-not-cleared",
        ((V_REST, V_REST.replace("            optimizer.zero_grad()\n", "")),),
        tempts=("missing-zero-grad",),
    )


PREPARED = Draft(
    "window-of-accelerate",
    """\
import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.utils.data import DataLoader, TensorDataset


def get_scheduler(optimizer, warmup):
    return torch.optim.lr_scheduler.LambdaLR(optimizer, lambda done: min(1.0, (done + 1) / warmup))


def training_function(config):
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=config["gradient_accumulation_steps"])
    set_seed(config["seed"])
    model = torch.nn.Sequential(torch.nn.Linear(6, 9), torch.nn.ReLU(), torch.nn.Dropout(0.1), torch.nn.Linear(9, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=config["lr"], momentum=0.9)
    data = TensorDataset(torch.randn(24, 6), torch.randint(0, 3, (24,)))
    loader = DataLoader(data, batch_size=4, shuffle=True)
    held_out = torch.randn(10, 6), torch.randint(0, 3, (10,))
    model, optimizer, loader, scheduler = accelerator.prepare(
        model, optimizer, loader, get_scheduler(optimizer, config["warmup"])
    )
    for epoch in range(config["num_epochs"]):
        model.train()
        total_loss = 0.0
        for x, y in loader:
            with accelerator.accumulate(model):
                loss = torch.nn.functional.cross_entropy(model(x), y)
                total_loss += loss.detach().float()
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 0.1)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
        model.eval()
        with torch.no_grad():
            right = (model(held_out[0]).argmax(-1) == held_out[1]).float().mean()
        accelerator.print(f"epoch {epoch}: loss {total_loss.item() / len(loader):.4f} accuracy {right.item():.2f}")
    return accelerator.unwrap_model(model)


def main():
    config = {"lr": 0.3, "num_epochs": 2, "seed": 42, "warmup": 4, "gradient_accumulation_steps": 2}
    return training_function(config)
""",
    ("scheduler-per-micro-batch", "unscaled-accumulation-loss"),
)

D_CLIP = """\
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 0.1)
"""
D_TOTAL = "                total_loss += loss.detach().float()\n"
D_CLEAR = "                optimizer.zero_grad()\n"
D_REST = (
    """\
                loss = torch.nn.functional.cross_entropy(model(x), y)
"""
    + D_TOTAL
    + """\
                accelerator.backward(loss)
"""
    + D_CLIP
    + """\
                optimizer.step()
                scheduler.step()
"""
    + D_CLEAR
)
D_BY_HAND = """\
        for number, (x, y) in enumerate(loader):
            loss = torch.nn.functional.cross_entropy(model(x), y)
            total_loss += loss.detach().float()
            accelerator.backward(loss / config["gradient_accumulation_steps"])
            if (number + 1) % config["gradient_accumulation_steps"] == 0:
                accelerator.clip_grad_norm_(model.parameters(), 0.1)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
"""


def prepared() -> Iterator[Case]:
    yield PREPARED.right("all-is-gated", tempts=("clip-per-micro-batch", "zero-grad-in-accumulation"))
    yield PREPARED.right(
        "window-made-by-hand",
        (', gradient_accumulation_steps=config["gradient_accumulation_steps"])', ")"),
        ("        for x, y in loader:\n            with accelerator.accumulate(model):\n" + D_REST, D_BY_HAND),
        tempts=("missing-no-sync", "accumulation-divisor-mismatch"),
    )
    yield PREPARED.styled((D_CLIP, "")).wrong(
        "divided-once-more",
        (("accelerator.backward(loss)", 'accelerator.backward(loss / config["gradient_accumulation_steps"])'),),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield PREPARED.wrong(
        "clip-is-not-gated",
        ((D_CLIP, "                accelerator.clip_grad_norm_(model.parameters(), 0.1)\n"),),
        tempts=("clip-per-micro-batch",),
    )
    yield PREPARED.wrong(
        "model-is-cleared",
        ((D_CLEAR, "                model.zero_grad()\n"),),
        tempts=("zero-grad-in-accumulation",),
    )


def cases() -> Iterator[Case]:
    yield from held()
    yield from averaged()
    yield from prepared()
