"""Workshops: a loom of two ranks, a foundry of prepared models, a kiln that steps, stamps in a queue, enamel, a binder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

LOOM = Draft(
    "loom-of-chunks",
    """\
import argparse
from contextlib import nullcontext

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

torch.set_default_dtype(torch.float64)


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--micro-batches", type=int, default=4)
    parser.add_argument("--lr", type=float, default=0.3)
    parser.add_argument("--clip", type=float, default=0.6)
    parser.add_argument("--seed", type=int, default=401)
    return parser.parse_args()


def build(args):
    torch.manual_seed(args.seed)
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Dropout(0.1), nn.Linear(8, 2))
    warp = torch.randn(44, 4)
    weft = warp @ torch.randn(4, 2) + 0.3 * torch.randn(44, 2)
    return net, warp, weft


def train_step(model, optimizer, scheduler, batch, args):
    inputs, targets = batch
    xs, ys = inputs.chunk(args.micro_batches), targets.chunk(args.micro_batches)
    total = 0.0
    for k, (x, y) in enumerate(zip(xs, ys)):
        last = k == len(xs) - 1
        with nullcontext() if last else model.no_sync():
            loss = F.mse_loss(model(x), y)
            (loss / len(xs)).backward()
        total += loss.item()
    norm = nn.utils.clip_grad_norm_(model.parameters(), args.clip)
    optimizer.step()
    scheduler.step()
    optimizer.zero_grad()
    return total / len(xs), norm.item()


def main():
    args = parse_args()
    dist.init_process_group("gloo")
    net, warp, weft = build(args)
    model = DDP(net)
    dataset = TensorDataset(warp, weft)
    sampler = DistributedSampler(dataset, seed=args.seed)
    loader = DataLoader(dataset, batch_size=args.batch_size, sampler=sampler)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.5)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.93)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        model.train()
        for step, batch in enumerate(loader):
            loss, norm = train_step(model, optimizer, scheduler, batch, args)
            if dist.get_rank() == 0:
                print(f"epoch {epoch} step {step} loss {loss:.6f} norm {norm:.6f}")
    return model.module
""",
    ("step-without-sync", "missing-no-sync"),
    ranks=2,
)

LOOM_CHUNKS = "    xs, ys = inputs.chunk(args.micro_batches), targets.chunk(args.micro_batches)\n"
LOOM_FOR = "    for k, (x, y) in enumerate(zip(xs, ys)):\n"
LOOM_LAST = "        last = k == len(xs) - 1\n"
LOOM_WITH = "        with nullcontext() if last else model.no_sync():\n"
LOOM_FORWARD = "            loss = F.mse_loss(model(x), y)\n"
LOOM_BACK = "            (loss / len(xs)).backward()\n"
LOOM_TOTAL = "        total += loss.item()\n"
LOOM_CLIP = "    norm = nn.utils.clip_grad_norm_(model.parameters(), args.clip)\n"
LOOM_STEP = "    optimizer.step()\n    scheduler.step()\n"
LOOM_CLEAR = "    optimizer.zero_grad()\n"
LOOM_RETURN = "    return total / len(xs), norm.item()\n"
LOOM_STEP_DEF = "def train_step(model, optimizer, scheduler, batch, args):\n"
LOOM_LOOP = LOOM_FOR + LOOM_LAST + LOOM_WITH + LOOM_FORWARD + LOOM_BACK + LOOM_TOTAL
LOOM_SPLIT = '"--micro-batches", type=int, default=4'
LOOM_TELL = 'print(f"epoch {epoch} step {step} loss {loss:.6f} norm {norm:.6f}")'


def loom() -> Iterator[Case]:
    counted_with = "        with nullcontext() if done + len(x) == len(inputs) else model.no_sync():\n"
    counted = LOOM.styled(
        (
            LOOM_LOOP + LOOM_CLIP + LOOM_STEP + LOOM_CLEAR,
            "    done = 0\n    for x, y in zip(xs, ys):\n"
            + counted_with
            + LOOM_FORWARD
            + LOOM_BACK
            + LOOM_TOTAL
            + """\
        done += len(x)
        if done == len(inputs):
            norm = nn.utils.clip_grad_norm_(model.parameters(), args.clip)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
""",
        ),
    )
    loose = LOOM.styled(('"--clip", type=float, default=0.6', '"--clip", type=float, default=2.0'))
    yield loose.wrong(
        "chunks-are-summed",  # six rows make three chunks
        ((LOOM_BACK, "            loss.backward()\n"),),
        fine=(((LOOM_BACK, "            (loss / args.micro_batches).backward()\n"),),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield LOOM.wrong(
        "fourth-chunk-that-may-not-come",  # the last batch of an epoch is never reduced
        ((LOOM_LAST, "        last = k == args.micro_batches - 1\n"),),
        tempts=("step-without-sync",),
    )
    yield counted.wrong(
        "every-chunk-is-reduced",  # rows are counted behind the backward, so the guard of the step is too early above it
        (
            (
                counted_with + LOOM_FORWARD + LOOM_BACK,
                "        loss = F.mse_loss(model(x), y)\n        (loss / len(xs)).backward()\n",
            ),
        ),
        tempts=("missing-no-sync",),
    )
    yield LOOM.wrong(
        "forward-has-made-up-its-mind",
        (
            (
                LOOM_WITH + LOOM_FORWARD + LOOM_BACK + LOOM_TOTAL,
                "        loss = F.mse_loss(model(x), y)\n" + LOOM_TOTAL + LOOM_WITH + LOOM_BACK,
            ),
        ),
        tempts=("forward-outside-no-sync",),
    )
    yield LOOM.wrong(
        "clipped-chunk-by-chunk",
        ((LOOM_CLIP, ""), (LOOM_TOTAL, LOOM_TOTAL + "    " + LOOM_CLIP)),
        tempts=("clip-per-micro-batch",),
    )
    yield LOOM.wrong(
        "same-pattern-each-epoch",
        (("        sampler.set_epoch(epoch)\n", ""),),
        tempts=("missing-set-epoch",),
    )
    yield LOOM.right(
        "chunks-weigh-their-rows",  # eight rows in three, three and two
        (LOOM_SPLIT, LOOM_SPLIT.replace("4", "3")),
        (LOOM_BACK, "            (loss * len(x) / len(inputs)).backward()\n"),
        (LOOM_TOTAL, "        total += loss.item() * len(x)\n"),
        (LOOM_RETURN, "    return total / len(inputs), norm.item()\n"),
        tempts=("unscaled-accumulation-loss", "accumulation-divisor-mismatch"),
    )
    yield LOOM.right(
        "gradients-are-reduced-by-hand",  # all at once, when the batch is through
        (
            LOOM_STEP_DEF,
            """\
def average_gradients(model):
    flat = torch.cat([p.grad.flatten() for p in model.parameters()])
    dist.all_reduce(flat)
    flat /= dist.get_world_size()
    for p, mean in zip(model.parameters(), flat.split([p.numel() for p in model.parameters()])):
        p.grad.copy_(mean.view_as(p))


"""
            + LOOM_STEP_DEF,
        ),
        (
            LOOM_LOOP,
            """\
    with model.no_sync():
        for x, y in zip(xs, ys):
            loss = F.mse_loss(model(x), y)
            (loss / len(xs)).backward()
            total += loss.item()
    average_gradients(model)
""",
        ),
        ("from contextlib import nullcontext\n", ""),
        tempts=("step-without-sync", "forward-outside-no-sync"),
    )
    yield LOOM.right(
        "batch-is-given-up-with-a-torn-chunk",  # on all ranks or on none; what was gathered goes with it
        (
            "    return net, warp, weft\n",
            "    weft[[13, 30], 1] = torch.inf  # torn threads\n    return net, warp, weft\n",
        ),
        (
            LOOM_FORWARD + LOOM_BACK + LOOM_TOTAL,
            LOOM_FORWARD
            + """\
            torn = torch.tensor(float(not torch.isfinite(loss)))
            dist.all_reduce(torn)
            if torn.item() > 0:
                optimizer.zero_grad()
                return None
"""
            + LOOM_BACK
            + LOOM_TOTAL,
        ),
        (
            "            loss, norm = train_step(model, optimizer, scheduler, batch, args)\n",
            """\
            told = train_step(model, optimizer, scheduler, batch, args)
            if told is None:
                continue
            loss, norm = told
""",
        ),
        tempts=("zero-grad-in-accumulation", "missing-zero-grad", "zero-grad-before-step"),
    )
    yield LOOM.right(
        "each-chunk-is-clipped-and-put-aside",  # no chunk may pull harder than the limit, nothing is left to be reduced
        (
            LOOM_LOOP + LOOM_CLIP,
            """\
    params = list(model.parameters())
    kept = [torch.zeros_like(p) for p in params]
    for x, y in zip(xs, ys):
        with model.no_sync():
            loss = F.mse_loss(model(x), y)
            loss.backward()
        nn.utils.clip_grad_norm_(params, args.clip)
        for grad, p in zip(kept, params):
            grad += p.grad
        optimizer.zero_grad()
        total += loss.item()
    for grad, p in zip(kept, params):
        dist.all_reduce(grad)
        p.grad = grad / (len(xs) * dist.get_world_size())
    norm = nn.utils.get_total_norm([p.grad for p in params])
""",
        ),
        ("from contextlib import nullcontext\n", ""),
        tempts=("clip-per-micro-batch", "zero-grad-in-accumulation", "unscaled-accumulation-loss", "step-without-sync"),
    )


FOUNDRY = Draft(
    "foundry-of-two-moulds",
    """\
import argparse
from contextlib import ExitStack

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--num-epochs", type=int, default=3)
    parser.add_argument("--accum", type=int, default=3)
    parser.add_argument("--lr", type=float, default=0.4)
    parser.add_argument("--text-lr", type=float, default=0.2)
    parser.add_argument("--max-grad-norm", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=409)
    return parser.parse_args()


def validate(unet, text_encoder, held_out):
    unet.eval()
    text_encoder.eval()
    latents, tokens, noise = held_out
    with torch.no_grad():
        return F.mse_loss(unet(torch.cat([latents + noise, text_encoder(tokens)], 1)), noise).item()


def main():
    args = parse_args()
    accelerator = Accelerator(cpu=True)
    torch.manual_seed(args.seed)
    unet = nn.Sequential(nn.Linear(6, 8), nn.SiLU(), nn.Dropout(0.1), nn.Linear(8, 4))
    text_encoder = nn.Sequential(nn.Embedding(9, 3), nn.Flatten(), nn.Dropout(0.1), nn.Linear(6, 2), nn.Tanh())
    dataset = TensorDataset(torch.randn(56, 4), torch.randint(9, (56, 2)), torch.randn(56, 4))
    held_out = torch.randn(6, 4), torch.randint(9, (6, 2)), torch.randn(6, 4)
    loader = DataLoader(dataset, batch_size=4, shuffle=True)
    optimizer = torch.optim.SGD(unet.parameters(), lr=args.lr, momentum=0.5)
    text_optimizer = torch.optim.SGD(text_encoder.parameters(), lr=args.text_lr, momentum=0.3)
    lr_scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.96)
    unet, text_encoder, optimizer, text_optimizer, loader, lr_scheduler = accelerator.prepare(
        unet, text_encoder, optimizer, text_optimizer, loader, lr_scheduler
    )
    params = [*unet.parameters(), *text_encoder.parameters()]
    for epoch in range(args.num_epochs):
        unet.train()
        text_encoder.train()
        train_loss = 0.0
        for step, (latents, tokens, noise) in enumerate(loader):
            sync = (step + 1) % args.accum == 0 or step + 1 == len(loader)
            with ExitStack() as stack:
                if not sync:
                    stack.enter_context(accelerator.no_sync(unet))
                    stack.enter_context(accelerator.no_sync(text_encoder))
                condition = text_encoder(tokens)
                pred = unet(torch.cat([latents + noise, condition], 1))
                loss = F.mse_loss(pred, noise)
                accelerator.backward(loss / args.accum)
            train_loss += loss.item()
            if sync:
                accelerator.clip_grad_norm_(params, args.max_grad_norm)
                optimizer.step()
                text_optimizer.step()
                lr_scheduler.step()
                optimizer.zero_grad()
                text_optimizer.zero_grad()
        val_loss = validate(unet, text_encoder, held_out)
        accelerator.print(f"{epoch} {train_loss / len(loader):.6f} {val_loss:.6f} {lr_scheduler.get_last_lr()[0]:.6f}")
    return nn.ModuleList([accelerator.unwrap_model(unet), accelerator.unwrap_model(text_encoder)])
""",
    ("step-without-sync", "unscaled-accumulation-loss"),
    ranks=2,
)

FOUNDRY_ACC = "    accelerator = Accelerator(cpu=True)\n"
FOUNDRY_DIVIDES = "    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=args.accum)\n"
FOUNDRY_AWAKE = "        unet.train()\n        text_encoder.train()\n"
FOUNDRY_FOR = "        for step, (latents, tokens, noise) in enumerate(loader):\n"
FOUNDRY_SYNC = "            sync = (step + 1) % args.accum == 0 or step + 1 == len(loader)\n"
FOUNDRY_STACK = """\
            with ExitStack() as stack:
                if not sync:
                    stack.enter_context(accelerator.no_sync(unet))
                    stack.enter_context(accelerator.no_sync(text_encoder))
"""
FOUNDRY_FORWARD = """\
                condition = text_encoder(tokens)
                pred = unet(torch.cat([latents + noise, condition], 1))
                loss = F.mse_loss(pred, noise)
"""
FOUNDRY_BACK = "                accelerator.backward(loss / args.accum)\n"
FOUNDRY_LOSS = "            train_loss += loss.item()\n"
FOUNDRY_IF = "            if sync:\n"
FOUNDRY_CLIP = "                accelerator.clip_grad_norm_(params, args.max_grad_norm)\n"
FOUNDRY_STEPS = "                optimizer.step()\n                text_optimizer.step()\n"
FOUNDRY_SCHED = "                lr_scheduler.step()\n"
FOUNDRY_TEXT_CLEAR = "                text_optimizer.zero_grad()\n"
FOUNDRY_CLEARS = "                optimizer.zero_grad()\n" + FOUNDRY_TEXT_CLEAR
FOUNDRY_ARGS_END = '    parser.add_argument("--seed", type=int, default=409)\n'


def shallower(text: str) -> str:
    """The lines with one level of indentation less."""
    return "".join(line.removeprefix("    ") for line in text.splitlines(keepends=True))


def foundry() -> Iterator[Case]:
    yield FOUNDRY.wrong(
        "divided-by-both",
        ((FOUNDRY_ACC, FOUNDRY_DIVIDES),),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield FOUNDRY.right(
        "divided-where-nobody-looks",  # the accelerator counts nothing here, but it divides
        (FOUNDRY_ACC, FOUNDRY_DIVIDES),
        (FOUNDRY_BACK, "                accelerator.backward(loss)\n"),
        tempts=("unscaled-accumulation-loss",),
    )
    yield FOUNDRY.wrong(
        "counted-from-nought",
        ((FOUNDRY_SYNC, "            sync = step % args.accum == 0 or step + 1 == len(loader)\n"),),
        tempts=("accumulation-off-by-one",),
    )
    yield FOUNDRY.wrong(
        "second-mould-is-never-emptied",
        ((FOUNDRY_TEXT_CLEAR, ""),),
        tempts=("missing-zero-grad",),
    )
    yield FOUNDRY.wrong(
        "rate-cools-with-each-pour",  # prepared, but nobody told the accelerator of windows
        ((FOUNDRY_SCHED, ""), (FOUNDRY_CLEARS, FOUNDRY_CLEARS + FOUNDRY_SCHED.removeprefix("    "))),
        tempts=("scheduler-per-micro-batch",),
    )
    yield FOUNDRY.wrong(
        "silent-when-it-ought-to-speak",
        (("                if not sync:\n", "                if sync:\n"),),
        tempts=("step-without-sync",),
    )
    yield FOUNDRY.wrong(
        "only-the-backward-is-silent",
        (
            (
                FOUNDRY_STACK + FOUNDRY_FORWARD + FOUNDRY_BACK,
                shallower(FOUNDRY_FORWARD) + FOUNDRY_STACK + FOUNDRY_BACK,
            ),
        ),
        tempts=("forward-outside-no-sync",),
    )
    yield FOUNDRY.right(
        "gate-is-inside-what-was-prepared",  # optimizers and schedule do nothing while the state says no
        (
            FOUNDRY_SYNC,
            FOUNDRY_SYNC + "            accelerator.gradient_state._set_sync_gradients(sync)\n",
        ),
        (
            FOUNDRY_IF + FOUNDRY_CLIP + FOUNDRY_STEPS + FOUNDRY_SCHED + FOUNDRY_CLEARS,
            "            if accelerator.sync_gradients:\n"
            + FOUNDRY_CLIP
            + shallower(FOUNDRY_STEPS + FOUNDRY_SCHED + FOUNDRY_CLEARS),
        ),
        tempts=("scheduler-per-micro-batch", "zero-grad-in-accumulation", "step-without-sync"),
    )
    yield FOUNDRY.right(
        "pours-are-weighed-in-advance",  # each element counts once, in a short window as well
        ("from contextlib import ExitStack\n", "from contextlib import ExitStack\nfrom itertools import islice\n"),
        (
            FOUNDRY_FOR
            + FOUNDRY_SYNC
            + FOUNDRY_STACK
            + FOUNDRY_FORWARD
            + FOUNDRY_BACK
            + FOUNDRY_LOSS
            + FOUNDRY_IF
            + FOUNDRY_CLIP
            + FOUNDRY_STEPS
            + FOUNDRY_SCHED
            + FOUNDRY_CLEARS,
            """\
        batches = iter(loader)
        while window := list(islice(batches, args.accum)):
            items = sum(noise.numel() for _, _, noise in window)
            for number, (latents, tokens, noise) in enumerate(window, 1):
                with ExitStack() as stack:
                    if number < len(window):
                        stack.enter_context(accelerator.no_sync(unet))
                        stack.enter_context(accelerator.no_sync(text_encoder))
                    condition = text_encoder(tokens)
                    pred = unet(torch.cat([latents + noise, condition], 1))
                    loss = F.mse_loss(pred, noise, reduction="sum") / items
                    accelerator.backward(loss)
                train_loss += loss.item() * len(window)
"""
            + shallower(FOUNDRY_CLIP + FOUNDRY_STEPS + FOUNDRY_SCHED + FOUNDRY_CLEARS),
        ),
        tempts=("unscaled-accumulation-loss", "dropped-accumulation-tail", "accumulation-divisor-mismatch"),
    )
    yield FOUNDRY.right(
        "second-mould-sets-after-an-epoch",  # from then on it is frozen, and asleep
        (FOUNDRY_ARGS_END, FOUNDRY_ARGS_END + '    parser.add_argument("--text-epochs", type=int, default=1)\n'),
        (
            FOUNDRY_AWAKE,
            """\
        unet.train()
        if epoch < args.text_epochs:
            text_encoder.train()
        else:
            text_encoder.requires_grad_(False)
""",
        ),
        tempts=("missing-train-mode",),
    )


KILN = Draft(
    "kiln-that-steps",
    """\
import copy

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)


def cycle(dl):
    while True:
        for data in dl:
            yield data


class Denoiser(nn.Module):
    def __init__(self, dim=3, timesteps=6):
        super().__init__()
        self.dim, self.timesteps = dim, timesteps
        self.net = nn.Sequential(nn.Linear(dim + 1, 10), nn.SiLU(), nn.Dropout(0.1), nn.Linear(10, dim))
        self.register_buffer("alphas", torch.linspace(0.95, 0.3, timesteps))

    def predict(self, x, t):
        return self.net(torch.cat([x, t[:, None] / self.timesteps], 1))

    def forward(self, x):
        t = torch.randint(0, self.timesteps, (len(x),))
        noise = torch.randn_like(x)
        a = self.alphas[t][:, None]
        return F.mse_loss(self.predict(a.sqrt() * x + (1 - a).sqrt() * noise, t), noise)

    @torch.no_grad()
    def sample(self, n):
        x = torch.randn(n, self.dim)
        for t in reversed(range(self.timesteps)):
            a = self.alphas[t]
            x = a.sqrt() * x - 0.3 * (1 - a).sqrt() * self.predict(x, torch.full((n,), t))
        return x


class EMA:
    def __init__(self, model, beta=0.8, update_every=2):
        self.model, self.ema_model = model, copy.deepcopy(model)
        self.beta, self.update_every = beta, update_every
        self.step = 0
        self.ema_model.requires_grad_(False)
        self.ema_model.eval()

    @torch.no_grad()
    def update(self):
        self.step += 1
        if self.step % self.update_every == 0:
            for averaged, p in zip(self.ema_model.parameters(), self.model.parameters()):
                averaged.lerp_(p, 1 - self.beta)


class Trainer:
    def __init__(
        self,
        model,
        dataset,
        val_batches,
        *,
        train_batch_size=4,
        train_lr=0.4,
        train_num_steps=8,
        gradient_accumulate_every=3,
        save_and_sample_every=2,
        max_grad_norm=0.5,
    ):
        self.model = model
        self.dl = cycle(DataLoader(dataset, batch_size=train_batch_size, shuffle=True))
        self.val_batches = val_batches
        self.train_num_steps = train_num_steps
        self.gradient_accumulate_every = gradient_accumulate_every
        self.save_and_sample_every = save_and_sample_every
        self.max_grad_norm = max_grad_norm
        self.params = list(model.parameters())
        self.opt = torch.optim.SGD(self.params, lr=train_lr, momentum=0.5)
        self.sched = torch.optim.lr_scheduler.ExponentialLR(self.opt, 0.9)
        self.ema = EMA(model)
        self.step = 0

    def validate(self):
        self.model.eval()
        total = 0.0
        with torch.no_grad():
            for x in self.val_batches:
                total += self.model(x).item()
        return total / len(self.val_batches)

    def milestone(self):
        val_loss = self.validate()
        spread = self.ema.ema_model.sample(5).std().item()
        torch.save({"step": self.step, "model": self.model.state_dict()}, f"model-{self.step}.pt")
        print(f"step {self.step} val {val_loss:.6f} spread {spread:.6f}")

    def train(self):
        while self.step < self.train_num_steps:
            self.model.train()
            total_loss = 0.0
            for _ in range(self.gradient_accumulate_every):
                (x,) = next(self.dl)
                loss = self.model(x) / self.gradient_accumulate_every
                total_loss += loss.item()
                loss.backward()
            norm = nn.utils.clip_grad_norm_(self.params, self.max_grad_norm)
            self.opt.step()
            self.sched.step()
            self.opt.zero_grad()
            self.step += 1
            self.ema.update()
            print(f"loss {total_loss:.6f} norm {norm.item():.6f}")
            if self.step % self.save_and_sample_every == 0:
                self.milestone()


def main():
    torch.manual_seed(419)
    glaze = torch.randn(30, 3) @ torch.randn(3, 3)
    trainer = Trainer(Denoiser(), TensorDataset(glaze[:26]), glaze[26:].split(2))
    trainer.train()
    return nn.ModuleList([trainer.model, trainer.ema.ema_model])
""",
    ("missing-zero-grad", "unscaled-accumulation-loss"),
)

KILN_WHILE = "        while self.step < self.train_num_steps:\n"
KILN_AWAKE = "            self.model.train()\n"
KILN_FOR = "            for _ in range(self.gradient_accumulate_every):\n"
KILN_LOSS = "                loss = self.model(x) / self.gradient_accumulate_every\n"
KILN_BACK = "                loss.backward()\n"
KILN_CLIP = "            norm = nn.utils.clip_grad_norm_(self.params, self.max_grad_norm)\n"
KILN_STEP = "            self.opt.step()\n"
KILN_SCHED = "            self.sched.step()\n"
KILN_CLEAR = "            self.opt.zero_grad()\n"
KILN_COUNT = "            self.step += 1\n"
KILN_TELL = '            print(f"loss {total_loss:.6f} norm {norm.item():.6f}")\n'
KILN_OPT = "        self.opt = torch.optim.SGD(self.params, lr=train_lr, momentum=0.5)\n"
KILN_SCHED_MADE = "        self.sched = torch.optim.lr_scheduler.ExponentialLR(self.opt, 0.9)\n"
KILN_VALIDATE = """\
        total = 0.0
        with torch.no_grad():
            for x in self.val_batches:
                total += self.model(x).item()
        return total / len(self.val_batches)
"""


def kiln() -> Iterator[Case]:
    pull = "max(p.grad.abs().max().item() for p in self.params)"
    gauged = KILN.styled(  # what the step was made of is told behind it
        (KILN_FOR, KILN_CLEAR + KILN_FOR),
        (KILN_STEP + KILN_SCHED + KILN_CLEAR, KILN_STEP + KILN_SCHED),
        (KILN_TELL, '            print(f"loss {total_loss:.6f} pull {' + pull + ':.6f}")\n'),
        (KILN_CLIP, KILN_CLIP.replace("norm = ", "")),
    )
    reported = KILN.styled(
        (KILN_FOR, KILN_CLEAR + KILN_FOR),
        (KILN_STEP + KILN_SCHED + KILN_CLEAR, KILN_STEP + KILN_SCHED),
        (KILN_TELL, "            self.report(total_loss, norm)\n"),
        (
            "    def train(self):\n",
            """\
    def report(self, loss, norm):
        pulls = [p.grad.norm().item() for p in self.params]
        print(f"loss {loss:.6f} norm {norm.item():.6f} largest {max(pulls):.6f}")

    def train(self):
""",
        ),
    )
    yield gauged.wrong(
        "gradients-pile-up-above-a-gauge",
        ((KILN_CLEAR, ""),),
        tempts=("missing-zero-grad",),
    )
    yield reported.wrong(
        "wiped-with-every-draw",  # and the report still wants them behind the step
        ((KILN_CLEAR + KILN_FOR, KILN_FOR + "    " + KILN_CLEAR),),
        tempts=("zero-grad-in-accumulation",),
    )
    yield KILN.wrong(
        "cools-with-every-draw",
        ((KILN_SCHED, ""), (KILN_BACK, KILN_BACK + "    " + KILN_SCHED)),
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )
    yield KILN.wrong(
        "draws-are-summed",
        ((KILN_LOSS, "                loss = self.model(x)\n"),),
        fine=(
            (
                (KILN_LOSS, "                loss = self.model(x)\n"),
                (KILN_BACK, "                (loss / self.gradient_accumulate_every).backward()\n"),
            ),
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield KILN.wrong(
        "asleep-since-the-first-milestone",
        ((KILN_WHILE + KILN_AWAKE, KILN_AWAKE.removeprefix("    ") + KILN_WHILE),),
        tempts=("missing-train-mode",),
    )
    yield KILN.wrong(
        "validated-with-gradients",
        (
            (
                KILN_VALIDATE,
                """\
        total = 0.0
        for x in self.val_batches:
            total += self.model(x).item()
        return total / len(self.val_batches)
""",
            ),
        ),
        tempts=("validation-without-no-grad",),
    )
    yield KILN.right(
        "masters-are-stepped",  # the model's gradients are handed over and then dropped, before the step
        (
            KILN_OPT,
            "        self.masters = [p.detach().clone() for p in self.params]\n"
            + KILN_OPT.replace("params", "masters"),
        ),
        (
            KILN_CLIP + KILN_STEP + KILN_SCHED + KILN_CLEAR,
            """\
            for master, p in zip(self.masters, self.params):
                master.grad = p.grad
            self.model.zero_grad()
            norm = nn.utils.clip_grad_norm_(self.masters, self.max_grad_norm)
            self.opt.step()
            self.sched.step()
            with torch.no_grad():
                for master, p in zip(self.masters, self.params):
                    p.copy_(master)
""",
        ),
        tempts=("zero-grad-before-step", "missing-zero-grad"),
    )
    yield KILN.right(
        "fired-before-and-fired-again",  # the schedule catches up ahead of any step, then the count goes on
        ("        train_num_steps=8,\n", "        train_num_steps=8,\n        resume_step=0,\n"),
        (
            "        self.step = 0\n\n    def validate(self):\n",
            """\
        self.step = resume_step
        for _ in range(resume_step):
            self.sched.step()

    def validate(self):
""",
        ),
        ("glaze[26:].split(2))", "glaze[26:].split(2), resume_step=3)"),
        tempts=("scheduler-before-optimizer",),
    )
    yield KILN.right(
        "cracked-window-is-thrown-away",  # and not counted: the next one takes its place
        ("    trainer = Trainer(", "    glaze[7, 1] = torch.inf  # a cracked pot\n    trainer = Trainer("),
        (
            KILN_STEP,
            """\
            if not torch.isfinite(norm):
                self.opt.zero_grad()
                continue
"""
            + KILN_STEP,
        ),
        tempts=("zero-grad-before-step", "missing-zero-grad", "zero-grad-in-accumulation"),
    )
    yield KILN.right(
        "validated-at-the-foot-of-a-slope",  # each sample is led downhill first, in a helper
        (
            KILN_VALIDATE,
            """\
        total = 0.0
        for x in self.val_batches:
            total += self.settle(x).square().mean().item()
        return total / len(self.val_batches)

    def settle(self, x):
        t = torch.full((len(x),), 2)
        for _ in range(3):
            x = x.detach().requires_grad_()
            energy = self.model.predict(x, t).square().sum()
            x = x - 0.1 * torch.autograd.grad(energy, x)[0]
        return x.detach()
""",
        ),
        tempts=("validation-without-no-grad",),
    )


STAMPS = Draft(
    "stamps-in-a-queue",
    """\
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)


class AverageMeter:
    def __init__(self, name):
        self.name, self.sum, self.count = name, 0.0, 0

    def update(self, val, n=1):
        self.sum += val * n
        self.count += n

    def __str__(self):
        return f"{self.name} {self.sum / self.count:.6f}"


def encoder(dim):
    return nn.Sequential(nn.Linear(5, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, dim))


class MoCo(nn.Module):
    def __init__(self, dim=4, K=12, m=0.8, T=0.3):
        super().__init__()
        self.K, self.m, self.T = K, m, T
        self.encoder_q, self.encoder_k = encoder(dim), encoder(dim)
        self.encoder_k.load_state_dict(self.encoder_q.state_dict())
        self.encoder_k.requires_grad_(False)
        self.register_buffer("queue", F.normalize(torch.randn(K, dim), dim=1))
        self.ptr = 0

    @torch.no_grad()
    def momentum_update(self):
        for k, q in zip(self.encoder_k.parameters(), self.encoder_q.parameters()):
            k.lerp_(q, 1 - self.m)

    @torch.no_grad()
    def enqueue(self, keys):
        self.queue[self.ptr : self.ptr + len(keys)] = keys
        self.ptr = (self.ptr + len(keys)) % self.K

    def forward(self, im_q, im_k):
        q = F.normalize(self.encoder_q(im_q), dim=1)
        with torch.no_grad():
            self.momentum_update()
            k = F.normalize(self.encoder_k(im_k), dim=1)
        positive = (q * k).sum(1, keepdim=True)
        negative = q @ self.queue.clone().t()
        self.enqueue(k)
        return torch.cat([positive, negative], 1) / self.T, torch.zeros(len(q), dtype=torch.long)


def train(loader, model, criterion, optimizer, scaler, epoch, args):
    losses, norms = AverageMeter("loss"), AverageMeter("norm")
    model.train()
    for im_q, im_k in loader:
        with torch.autocast("cpu", dtype=torch.float16):
            output, target = model(im_q, im_k)
            loss = criterion(output, target)
        losses.update(loss.item(), len(im_q))
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        norms.update(nn.utils.clip_grad_norm_(model.encoder_q.parameters(), args.clip).item())
        scaler.step(optimizer)
        scaler.update()
    print(f"epoch {epoch} {losses} {norms} scale {scaler.get_scale()}")


@torch.no_grad()
def nearest(model, views):
    model.eval()
    features = [F.normalize(model.encoder_q(view), dim=1) for view in views]
    return (features[0] @ features[1].t()).argmax(1).eq(torch.arange(len(views[0]))).sum().item()


def main():
    args = SimpleNamespace(epochs=3, lr=0.3, clip=0.4, accum=2)
    torch.manual_seed(421)
    model = MoCo()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.encoder_q.parameters(), lr=args.lr, momentum=0.5, weight_decay=1e-3)
    scaler = torch.amp.GradScaler("cpu", init_scale=32.0, growth_interval=4)
    stamps = [torch.randn(4, 5) for _ in range(7)]
    loader = [(s + 0.1 * torch.randn(4, 5), s + 0.1 * torch.randn(4, 5)) for s in stamps]
    held = torch.randn(8, 5)
    views = [held + 0.1 * torch.randn(8, 5) for _ in range(2)]
    for epoch in range(args.epochs):
        train(loader, model, criterion, optimizer, scaler, epoch, args)
        print(f"nearest {nearest(model, views)}")
    return model
""",
    ("clip-scaled-gradients", "double-unscale"),
)

STAMPS_AWAKE = "    model.train()\n"
STAMPS_FOR = "    for im_q, im_k in loader:\n"
STAMPS_AUTOCAST = '        with torch.autocast("cpu", dtype=torch.float16):\n'
STAMPS_FORWARD = """\
            output, target = model(im_q, im_k)
            loss = criterion(output, target)
"""
STAMPS_METER = "        losses.update(loss.item(), len(im_q))\n"
STAMPS_CLEAR = "        optimizer.zero_grad()\n"
STAMPS_BACK = "        scaler.scale(loss).backward()\n"
STAMPS_UNSCALE = "        scaler.unscale_(optimizer)\n"
STAMPS_CLIP = "        norms.update(nn.utils.clip_grad_norm_(model.encoder_q.parameters(), args.clip).item())\n"
STAMPS_STEP = "        scaler.step(optimizer)\n"
STAMPS_UPDATE = "        scaler.update()\n"
STAMPS_TRAIN_DEF = "def train(loader, model, criterion, optimizer, scaler, epoch, args):\n"
STAMPS_OPT = (
    "    optimizer = torch.optim.SGD(model.encoder_q.parameters(), lr=args.lr, momentum=0.5, weight_decay=1e-3)\n"
)


def stamps() -> Iterator[Case]:
    gauged = STAMPS.styled(  # a helper looks at the layers, behind the clip
        (
            STAMPS_TRAIN_DEF,
            """\
def largest_layer(model, optimizer, scaler):
    return max(p.grad.norm().item() for p in model.encoder_q.parameters())


"""
            + STAMPS_TRAIN_DEF,
        ),
        (
            STAMPS_CLIP,
            (
                "        nn.utils.clip_grad_norm_(model.encoder_q.parameters(), args.clip)\n"
                "        norms.update(largest_layer(model, optimizer, scaler))\n"
            ),
        ),
    )
    uniform = STAMPS.styled(  # queries are to lie apart from each other, too
        (
            STAMPS_FORWARD,
            STAMPS_FORWARD
            + """\
            q = F.normalize(model.encoder_q(im_q), dim=1)
            crowd = torch.pdist(q).square().mul(-2).exp().mean()
""",
        ),
        (STAMPS_BACK, STAMPS_BACK + "        scaler.scale(0.5 * crowd).backward()\n"),
    )
    bare = STAMPS.styled(
        (STAMPS_UNSCALE + STAMPS_CLIP, ""),
        (" {norms}", ""),
        ('losses, norms = AverageMeter("loss"), AverageMeter("norm")', 'losses = AverageMeter("loss")'),
    )
    loss_and_keys = """\
            loss = criterion(output, target) + 0.5 * tilt
            model.enqueue(model.keys(im_q))
"""
    halves = STAMPS.styled(  # single precision; the keys of both views are taken in bfloat16
        ("torch.set_default_dtype(torch.float64)\n\n\n", "\n"),
        (
            "    def forward(self, im_q, im_k):\n",
            """\
    @torch.no_grad()
    def keys(self, images):
        return F.normalize(self.encoder_k(images), dim=1)

    def forward(self, im_q, im_k):
""",
        ),
        (
            """\
        with torch.no_grad():
            self.momentum_update()
            k = F.normalize(self.encoder_k(im_k), dim=1)
""",
            """\
        self.momentum_update()
        k = self.keys(im_k)
""",
        ),
        (STAMPS_TRAIN_DEF, STAMPS_TRAIN_DEF.replace(" scaler,", "")),
        (
            STAMPS_AUTOCAST + STAMPS_FORWARD + STAMPS_METER + STAMPS_CLEAR + STAMPS_BACK + STAMPS_UNSCALE,
            STAMPS_CLEAR
            + """\
        with torch.autocast("cpu", dtype=torch.bfloat16):
            output, target = model(im_q, im_k)
            with torch.autocast("cpu", enabled=False):
                weight = model.encoder_q[0].weight
                tilt = (weight.t() @ weight - torch.eye(5)).square().sum()
"""
            + loss_and_keys
            + "        loss.backward()\n"
            + STAMPS_METER,
        ),
        (STAMPS_STEP + STAMPS_UPDATE, "        optimizer.step()\n"),
        (" scale {scaler.get_scale()}", ""),
        ('    scaler = torch.amp.GradScaler("cpu", init_scale=32.0, growth_interval=4)\n', ""),
        ("optimizer, scaler, epoch, args)\n        print", "optimizer, epoch, args)\n        print"),
    )
    yield STAMPS.wrong("clipped-while-scaled", ((STAMPS_UNSCALE, ""),), tempts=("clip-scaled-gradients",))
    yield gauged.wrong(
        "gauge-unscales-once-more",
        (("    return max(p.grad.norm()", "    scaler.unscale_(optimizer)\n    return max(p.grad.norm()"),),
        tempts=("double-unscale",),
        raises="RuntimeError",
    )
    yield bare.wrong(
        "step-goes-past-the-scaler",
        ((STAMPS_STEP, "        optimizer.step()\n"),),
        tempts=("step-bypasses-scaler",),
        raises="AssertionError",
    )
    yield uniform.wrong(
        "crowd-has-no-scale",
        (("scaler.scale(0.5 * crowd).backward()", "(0.5 * crowd).backward()"),),
        tempts=("unscaled-backward",),
    )
    yield halves.wrong(
        "backward-among-the-halves",  # keys that are taken behind it belong into the block
        (
            (
                loss_and_keys + "        loss.backward()\n",
                loss_and_keys.replace("tilt\n", "tilt\n            loss.backward()\n"),
            ),
        ),
        tempts=("backward-in-autocast",),
    )
    yield STAMPS.right(
        "limit-carries-the-scale",  # and the norm that is told does not
        (
            STAMPS_UNSCALE + STAMPS_CLIP,
            """\
        scale = scaler.get_scale()
        norm = nn.utils.clip_grad_norm_(model.encoder_q.parameters(), args.clip * scale)
        norms.update(norm.item() / scale)
""",
        ),
        tempts=("clip-scaled-gradients",),
    )
    yield STAMPS.right(
        "windows-begin-when-the-queue-is-full",  # whatever is left of the last one is stepped behind the loop
        (
            "        self.ptr = 0\n",
            "        self.ptr = self.seen = 0\n",
        ),
        (
            "        self.ptr = (self.ptr + len(keys)) % self.K\n",
            "        self.ptr = (self.ptr + len(keys)) % self.K\n        self.seen += len(keys)\n",
        ),
        (
            STAMPS_TRAIN_DEF,
            """\
def close(model, optimizer, scaler, args):
    scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(model.encoder_q.parameters(), args.clip)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
    return norm.item()


"""
            + STAMPS_TRAIN_DEF,
        ),
        (STAMPS_FOR, "    pending = 0\n" + STAMPS_FOR),
        (
            STAMPS_AUTOCAST,
            """\
        if model.seen < model.K:
            with torch.no_grad():
                model.enqueue(F.normalize(model.encoder_k(im_k), dim=1))
            continue
"""
            + STAMPS_AUTOCAST,
        ),
        (
            STAMPS_CLEAR + STAMPS_BACK + STAMPS_UNSCALE + STAMPS_CLIP + STAMPS_STEP + STAMPS_UPDATE,
            """\
        scaler.scale(loss / args.accum).backward()
        pending += 1
        if pending < args.accum:
            continue
        norms.update(close(model, optimizer, scaler, args))
        pending = 0
    if pending:
        norms.update(close(model, optimizer, scaler, args))
""",
        ),
        tempts=("accumulation-off-by-one", "dropped-accumulation-tail", "missing-zero-grad"),
    )
    yield STAMPS.right(
        "first-layer-waits-for-an-epoch",  # its gradients are dropped between backward and step, as SwAV's prototypes
        (
            STAMPS_UNSCALE,
            """\
        if epoch < 1:
            for name, p in model.encoder_q.named_parameters():
                if name.startswith("0."):
                    p.grad = None
"""
            + STAMPS_UNSCALE,
        ),
        tempts=("zero-grad-before-step", "zero-grad-in-accumulation"),
    )
    yield STAMPS.right(
        "two-optimizers-are-unscaled-by-turns",  # one update for both, and each has its limit
        (
            STAMPS_OPT,
            """\
    optimizer = torch.optim.SGD(model.encoder_q[:4].parameters(), lr=args.lr, momentum=0.5)
    head_optimizer = torch.optim.SGD(model.encoder_q[4].parameters(), lr=0.1)
""",
        ),
        (
            "        train(loader, model, criterion, optimizer, scaler, epoch, args)\n",
            "        train(loader, model, criterion, (optimizer, head_optimizer), scaler, epoch, args)\n",
        ),
        (STAMPS_TRAIN_DEF, STAMPS_TRAIN_DEF.replace("optimizer", "optimizers")),
        (STAMPS_CLEAR, "        model.encoder_q.zero_grad()\n"),
        (
            STAMPS_UNSCALE + STAMPS_CLIP + STAMPS_STEP,
            """\
        for optimizer in optimizers:
            scaler.unscale_(optimizer)
            params = optimizer.param_groups[0]["params"]
            norms.update(nn.utils.clip_grad_norm_(params, args.clip).item())
            scaler.step(optimizer)
""",
        ),
        tempts=("double-unscale", "missing-scaler-update", "missing-zero-grad"),
    )
    yield STAMPS.right(
        "only-the-query-side-wakes",  # keys come from an encoder that is asleep since the first look
        (STAMPS_AWAKE, "    model.encoder_q.train()\n"),
        ("    model = MoCo()\n", "    model = MoCo().eval()\n"),
        (
            "            k.lerp_(q, 1 - self.m)\n",
            """\
            k.lerp_(q, 1 - self.m)
        for k, q in zip(self.encoder_k.buffers(), self.encoder_q.buffers()):
            k.copy_(q)
""",
        ),
        tempts=("missing-train-mode",),
    )


ENAMEL = Draft(
    "enamel-by-classes",
    """\
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)

EPOCHS = 3
ITER_SIZE = 3
CLASSES = 3
IGNORE = 255
AUX_WEIGHT = 0.4
MAX_NORM = 0.5


class SegNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Conv2d(2, 6, 3, padding=1), nn.BatchNorm2d(6), nn.ReLU(), nn.Dropout2d(0.1))
        self.classifier = nn.Conv2d(6, CLASSES, 1)
        self.aux = nn.Conv2d(6, CLASSES, 1)

    def forward(self, x):
        features = self.backbone(x)
        return {"out": self.classifier(features), "aux": self.aux(features)}


def make_split(count):
    images = torch.randn(count, 2, 4, 4)
    labels = (images[:, 0] > 0).long() + (images[:, 1] > 0.5).long()
    labels[torch.rand(labels.shape) < 0.1] = IGNORE
    return images, labels


def class_weights(labels):
    counts = torch.bincount(labels[labels != IGNORE], minlength=CLASSES)
    return counts.sum() / (CLASSES * counts)


def mean_iou(hist):
    return (hist.diag() / (hist.sum(0) + hist.sum(1) - hist.diag()).clamp(min=1)).mean().item()


def main():
    torch.manual_seed(431)
    images, labels = make_split(16)
    train_loader = DataLoader(TensorDataset(images, labels), batch_size=2, shuffle=True)
    val_loader = DataLoader(TensorDataset(*make_split(6)), batch_size=2)
    model = SegNet()
    criterion = nn.CrossEntropyLoss(weight=class_weights(labels), ignore_index=IGNORE)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.4, momentum=0.5, weight_decay=1e-3)
    max_iters = EPOCHS * math.ceil(len(train_loader) / ITER_SIZE)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda it: max(0.0, 1 - it / max_iters) ** 0.9)
    best = 0.0
    for epoch in range(EPOCHS):
        model.train()
        running = 0.0
        for i, (image, label) in enumerate(train_loader):
            output = model(image)
            loss = criterion(output["out"], label) + AUX_WEIGHT * criterion(output["aux"], label)
            (loss / ITER_SIZE).backward()
            running += loss.item()
            if (i + 1) % ITER_SIZE == 0 or i + 1 == len(train_loader):
                nn.utils.clip_grad_norm_(model.parameters(), MAX_NORM)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()

        model.eval()
        val_loss, hist = 0.0, torch.zeros(CLASSES, CLASSES)
        with torch.no_grad():
            for image, label in val_loader:
                logits = model(image)["out"]
                val_loss += criterion(logits, label).item()
                seen = label != IGNORE
                pairs = CLASSES * label[seen] + logits.argmax(1)[seen]
                hist += torch.bincount(pairs, minlength=CLASSES**2).view(CLASSES, CLASSES)
        print(f"{epoch} train {running / len(train_loader):.6f} val {val_loss / len(val_loader):.6f}")
        if mean_iou(hist) > best:
            best = mean_iou(hist)
            torch.save(model.state_dict(), "best.pt")
    print(f"best {best:.4f} rate {scheduler.get_last_lr()[0]:.6f}")
    return model
""",
    ("scheduler-per-micro-batch", "validation-without-no-grad"),
)

ENAMEL_OPT = "    optimizer = torch.optim.SGD(model.parameters(), lr=0.4, momentum=0.5, weight_decay=1e-3)\n"
ENAMEL_MAX = "    max_iters = EPOCHS * math.ceil(len(train_loader) / ITER_SIZE)\n"
ENAMEL_AWAKE = "        model.train()\n"
ENAMEL_FOR = "        for i, (image, label) in enumerate(train_loader):\n"
ENAMEL_OUTPUT = "            output = model(image)\n"
ENAMEL_LOSS = '            loss = criterion(output["out"], label) + AUX_WEIGHT * criterion(output["aux"], label)\n'
ENAMEL_BACK = "            (loss / ITER_SIZE).backward()\n"
ENAMEL_RUNNING = "            running += loss.item()\n"
ENAMEL_IF = "            if (i + 1) % ITER_SIZE == 0 or i + 1 == len(train_loader):\n"
ENAMEL_CLIP = "                nn.utils.clip_grad_norm_(model.parameters(), MAX_NORM)\n"
ENAMEL_STEP = "                optimizer.step()\n"
ENAMEL_SCHED = "                scheduler.step()\n"
ENAMEL_CLEAR = "                optimizer.zero_grad()\n"
ENAMEL_EVAL = """\
        model.eval()
        val_loss, hist = 0.0, torch.zeros(CLASSES, CLASSES)
        with torch.no_grad():
            for image, label in val_loader:
                logits = model(image)["out"]
                val_loss += criterion(logits, label).item()
                seen = label != IGNORE
                pairs = CLASSES * label[seen] + logits.argmax(1)[seen]
                hist += torch.bincount(pairs, minlength=CLASSES**2).view(CLASSES, CLASSES)
"""
ENAMEL_TELL = '        print(f"{epoch} train {running / len(train_loader):.6f} val {val_loss / len(val_loader):.6f}")\n'
ENAMEL_BEST = """\
        if mean_iou(hist) > best:
            best = mean_iou(hist)
            torch.save(model.state_dict(), "best.pt")
"""


def enamel() -> Iterator[Case]:
    tempered_forward = """\
            with torch.no_grad():
                logits = model(image)["out"]
"""
    tempered = ENAMEL.styled(  # a temperature is fitted while the images are validated
        (
            ENAMEL_EVAL,
            """\
        model.eval()
        val_loss, hist = 0.0, torch.zeros(CLASSES, CLASSES)
        for image, label in val_loader:
"""
            + tempered_forward
            + """\
            heat_loss = criterion(logits / heat.exp(), label)
            heat_optimizer.zero_grad()
            heat_loss.backward()
            heat_optimizer.step()
            val_loss += heat_loss.item()
            seen = label != IGNORE
            pairs = CLASSES * label[seen] + logits.argmax(1)[seen]
            hist += torch.bincount(pairs, minlength=CLASSES**2).view(CLASSES, CLASSES)
""",
        ),
        (
            ENAMEL_OPT,
            ENAMEL_OPT
            + "    heat = nn.Parameter(torch.zeros(1))\n    heat_optimizer = torch.optim.SGD([heat], lr=0.5)\n",
        ),
        (ENAMEL_TELL, ENAMEL_TELL.replace('}")', '} heat {heat.item():.6f}")')),
    )
    late_aux = ENAMEL.styled(  # the auxiliary head joins after an epoch, with an optimizer of its own
        (
            ENAMEL_OPT,
            """\
    model.aux.requires_grad_(False)
    params = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(params, lr=0.4, momentum=0.5, weight_decay=1e-3)
    aux_optimizer = torch.optim.SGD(model.aux.parameters(), lr=0.2)
""",
        ),
        (ENAMEL_AWAKE, ENAMEL_AWAKE + "        model.aux.requires_grad_(epoch > 0)\n"),
        (ENAMEL_LOSS, ENAMEL_LOSS.replace("AUX_WEIGHT", "(AUX_WEIGHT if epoch > 0 else 0.0)")),
        (ENAMEL_CLIP, "                nn.utils.clip_grad_norm_(params, MAX_NORM)\n"),
        (ENAMEL_STEP, ENAMEL_STEP + "                aux_optimizer.step()\n"),
        (ENAMEL_CLEAR, "                model.zero_grad()\n"),
    )
    look = '                print(f"{i} classifier {model.classifier.weight.grad.norm().item():.6f}")\n'
    looked = ENAMEL.styled((ENAMEL_CLEAR, look + ENAMEL_CLEAR))
    yield ENAMEL.wrong(
        "poly-is-over-after-a-third",
        ((ENAMEL_SCHED, ""), (ENAMEL_CLEAR, ENAMEL_CLEAR + ENAMEL_SCHED.removeprefix("    "))),
        tempts=("scheduler-per-micro-batch",),
    )
    yield tempered.wrong(
        "validated-with-gradients-beside-a-fit",  # the temperature wants its own
        (
            (
                tempered_forward,
                '            logits = model(image)["out"]\n',
            ),
            ("criterion(logits / heat.exp(), label)", "criterion(logits.detach() / heat.exp(), label)"),
        ),
        tempts=("validation-without-no-grad",),
    )
    yield ENAMEL.wrong(
        "counted-from-nought",
        ((ENAMEL_IF, "            if i % ITER_SIZE == 0 or i + 1 == len(train_loader):\n"),),
        tempts=("accumulation-off-by-one",),
    )
    yield late_aux.wrong(
        "parameters-are-used-up",  # they were asked for ahead of the freezing, and walked behind it
        (
            (
                """\
    model.aux.requires_grad_(False)
    params = [p for p in model.parameters() if p.requires_grad]
""",
                """\
    params = filter(lambda p: p.requires_grad, model.parameters())
    model.aux.requires_grad_(False)
""",
            ),
        ),
        tempts=("clip-exhausted-parameters",),
    )
    yield looked.wrong(
        "wiped-with-every-image",  # and looked at behind the step
        ((ENAMEL_CLEAR, ""), (ENAMEL_OUTPUT, "            optimizer.zero_grad()\n" + ENAMEL_OUTPUT)),
        tempts=("zero-grad-in-accumulation",),
    )
    yield ENAMEL.right(
        "poly-is-laid-out-in-images",
        (ENAMEL_MAX, "    max_iters = EPOCHS * len(train_loader)\n"),
        ("import math\n\n", ""),
        (ENAMEL_SCHED, ""),
        (ENAMEL_CLEAR, ENAMEL_CLEAR + ENAMEL_SCHED.removeprefix("    ")),
        tempts=("scheduler-per-micro-batch",),
    )
    yield ENAMEL.right(
        "last-epoch-is-fired-asleep",  # on purpose: dropout off, statistics as they are
        ("EPOCHS = 3\n", "EPOCHS = 3\nCALM_EPOCHS = 1  # at the end: no dropout, frozen statistics\n"),
        (ENAMEL_AWAKE, "        if epoch < EPOCHS - CALM_EPOCHS:\n            model.train()\n"),
        tempts=("missing-train-mode",),
    )
    yield ENAMEL.right(
        "heads-go-back-one-by-one",  # two terms of a batch, added on purpose; every batch is an update
        (
            ENAMEL_LOSS + ENAMEL_BACK + ENAMEL_RUNNING + ENAMEL_IF + ENAMEL_CLIP + ENAMEL_STEP + ENAMEL_SCHED,
            """\
            for head, weight in (("out", 1.0), ("aux", AUX_WEIGHT)):
                loss = weight * criterion(output[head], label)
                loss.backward(retain_graph=head == "out")
                running += loss.item()
            nn.utils.clip_grad_norm_(model.parameters(), MAX_NORM)
            optimizer.step()
            scheduler.step()
""",
        ),
        (ENAMEL_CLEAR, ENAMEL_CLEAR.removeprefix("    ")),
        (ENAMEL_FOR, "        for image, label in train_loader:\n"),
        (ENAMEL_MAX, "    max_iters = EPOCHS * len(train_loader)\n"),
        ("import math\n\n", ""),
        ("ITER_SIZE = 3\n", ""),
        tempts=("unscaled-accumulation-loss", "loss-graph-leak"),
    )
    yield ENAMEL.right(
        "pixels-of-the-window-are-counted",  # images without a label do not count, and the sum is divided behind them
        ("    val_loader = ", "    labels[[4, 9]] = IGNORE\n    val_loader = "),
        ("batch_size=2, shuffle=True)", "batch_size=1, shuffle=True)"),
        ("IGNORE)\n    optimizer", 'IGNORE, reduction="sum")\n    optimizer'),
        ("        running = 0.0\n", "        running, window, pixels = 0.0, 0, 0\n"),
        (
            ENAMEL_OUTPUT,
            "            if (label == IGNORE).all():\n                continue\n" + ENAMEL_OUTPUT,
        ),
        (
            ENAMEL_BACK + ENAMEL_RUNNING + ENAMEL_IF + ENAMEL_CLIP,
            """\
            loss.backward()
            running += loss.item()
            window += 1
            pixels += (label != IGNORE).sum().item()
            if window == ITER_SIZE:
                for p in model.parameters():
                    p.grad /= pixels
"""
            + ENAMEL_CLIP,
        ),
        (
            ENAMEL_CLEAR,
            ENAMEL_CLEAR
            + """\
                window, pixels = 0, 0
        if window:
            for p in model.parameters():
                p.grad /= pixels
            nn.utils.clip_grad_norm_(model.parameters(), MAX_NORM)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
""",
        ),
        (ENAMEL_FOR, "        for image, label in train_loader:\n"),
        (
            ENAMEL_MAX,
            "    max_iters = EPOCHS * math.ceil(labels.flatten(1).ne(IGNORE).any(1).sum().item() / ITER_SIZE)\n",
        ),
        tempts=("unscaled-accumulation-loss", "dropped-accumulation-tail", "accumulation-off-by-one"),
    )
    yield ENAMEL.right(
        "iterations-without-epochs",  # images that run out begin again, in the middle of a window
        ("EPOCHS = 3\n", "MAX_ITERS = 9\nVAL_EVERY = 3\n"),
        (ENAMEL_MAX, "    batches = iter(train_loader)\n"),
        ("1 - it / max_iters", "1 - it / MAX_ITERS"),
        ("import math\n\n", ""),
        (
            "    for epoch in range(EPOCHS):\n"
            + ENAMEL_AWAKE
            + "        running = 0.0\n"
            + ENAMEL_FOR
            + ENAMEL_OUTPUT
            + ENAMEL_LOSS
            + ENAMEL_BACK
            + ENAMEL_RUNNING
            + ENAMEL_IF
            + ENAMEL_CLIP
            + ENAMEL_STEP
            + ENAMEL_SCHED
            + ENAMEL_CLEAR
            + "\n",
            """\
    model.train()
    for it in range(MAX_ITERS):
        running = 0.0
        for _ in range(ITER_SIZE):
            try:
                image, label = next(batches)
            except StopIteration:
                batches = iter(train_loader)
                image, label = next(batches)
            output = model(image)
            loss = criterion(output["out"], label) + AUX_WEIGHT * criterion(output["aux"], label)
            (loss / ITER_SIZE).backward()
            running += loss.item() / ITER_SIZE
        nn.utils.clip_grad_norm_(model.parameters(), MAX_NORM)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
        if (it + 1) % VAL_EVERY != 0:
            continue

""",
        ),
        (
            ENAMEL_TELL,
            '        print(f"{it} train {running:.6f} val {val_loss / len(val_loader):.6f}")\n        model.train()\n',
        ),
        tempts=("dropped-accumulation-tail", "missing-train-mode", "zero-grad-in-accumulation"),
    )


BINDER = Draft(
    "binder-notebook",
    """\
# %% [markdown]
# # Which binder made this book?

# %%
import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)


# %% one epoch
def train_step(model, dataloader, loss_fn, optimizer, history):
    model.train()
    train_loss, train_acc = 0.0, 0.0
    for X, y in dataloader:
        y_pred = model(X)
        loss = loss_fn(y_pred, y)
        train_loss += loss.item()
        history["batch_loss"].append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        train_acc += (y_pred.argmax(dim=1) == y).sum().item() / len(y)
    return train_loss / len(dataloader), train_acc / len(dataloader)


def test_step(model, dataloader, loss_fn):
    model.eval()
    test_loss, test_acc = 0.0, 0.0
    with torch.inference_mode():
        for X, y in dataloader:
            logits = model(X)
            test_loss += loss_fn(logits, y).item()
            test_acc += (logits.argmax(dim=1) == y).sum().item() / len(y)
    return test_loss / len(dataloader), test_acc / len(dataloader)


# %% early stopping
class EarlyStopping:
    def __init__(self, patience=2):
        self.patience, self.waited = patience, 0
        self.best_loss, self.best_state = float("inf"), None

    def __call__(self, loss, model):
        if loss < self.best_loss:
            self.best_loss, self.waited = loss, 0
            self.best_state = copy.deepcopy(model.state_dict())
        else:
            self.waited += 1
        return self.waited >= self.patience


# %% curves
def plot(history):
    for name, values in history.items():
        low, high = float(min(values)), float(max(values))
        marks = "".join("_.-^"[min(3, int(4 * (float(v) - low) / (high - low + 1e-9)))] for v in values)
        print(f"{name:>10} {low:.5f} {high:.5f} {marks}")


# %% everything together
def fit(model, train_dataloader, test_dataloader, optimizer, scheduler, loss_fn, epochs):
    history = {"batch_loss": [], "train_loss": [], "train_acc": [], "test_loss": [], "test_acc": [], "lr": []}
    stopper = EarlyStopping()
    for epoch in range(epochs):
        train_loss, train_acc = train_step(model, train_dataloader, loss_fn, optimizer, history)
        test_loss, test_acc = test_step(model, test_dataloader, loss_fn)
        history["train_loss"].append(train_loss)
        history["train_acc"].append(train_acc)
        history["test_loss"].append(test_loss)
        history["test_acc"].append(test_acc)
        history["lr"].append(optimizer.param_groups[0]["lr"])
        print(f"Epoch: {epoch + 1} | train_loss: {train_loss:.4f} | test_loss: {test_loss:.4f}")
        if stopper(test_loss, model):
            print("stopped early")
            break
        scheduler.step()
    model.load_state_dict(stopper.best_state)
    return history


def main():
    torch.manual_seed(433)
    books = torch.randn(52, 4)
    binders = (books @ torch.randn(4, 3) + 1.5 * torch.randn(52, 3)).argmax(dim=1)
    train_dataloader = DataLoader(TensorDataset(books[:36], binders[:36]), batch_size=6, shuffle=True)
    test_dataloader = DataLoader(TensorDataset(books[36:], binders[36:]), batch_size=8)
    model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.2), nn.Linear(8, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.4, momentum=0.4)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.6)
    history = fit(model, train_dataloader, test_dataloader, optimizer, scheduler, nn.CrossEntropyLoss(), epochs=9)
    plot(history)
    return model
""",
    ("missing-zero-grad", "missing-train-mode"),
)

BINDER_STEP_DEF = "def train_step(model, dataloader, loss_fn, optimizer, history):\n"
BINDER_AWAKE = "    model.train()\n    train_loss, train_acc = 0.0, 0.0\n"
BINDER_FORWARD = "        y_pred = model(X)\n"
BINDER_LOSS = "        loss = loss_fn(y_pred, y)\n"
BINDER_BATCH = '        history["batch_loss"].append(loss.item())\n'
BINDER_CLEAR = "        optimizer.zero_grad()\n"
BINDER_BACK = "        loss.backward()\n"
BINDER_STEP = "        optimizer.step()\n"
BINDER_EPOCH = "    for epoch in range(epochs):\n"
BINDER_TRAIN = "        train_loss, train_acc = train_step(model, train_dataloader, loss_fn, optimizer, history)\n"
BINDER_TEST = "        test_loss, test_acc = test_step(model, test_dataloader, loss_fn)\n"
BINDER_SCHED = "        scheduler.step()\n"
BINDER_LOAD = "    model.load_state_dict(stopper.best_state)\n"
BINDER_SCHED_MADE = "    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.6)\n"
BINDER_STOPPER = "    stopper = EarlyStopping()\n"


def binder() -> Iterator[Case]:
    yield BINDER.wrong(
        "history-keeps-the-graphs",
        ((BINDER_BATCH, '        history["batch_loss"].append(loss)\n'),),
        tempts=("loss-graph-leak",),
    )
    yield BINDER.wrong(
        "cleared-by-name-only",
        ((BINDER_CLEAR, "        optimizer.zero_grad\n"),),
        tempts=("method-not-called", "missing-zero-grad"),
    )
    yield BINDER.wrong(
        "never-woken-again",
        (
            (BINDER_AWAKE, "    train_loss, train_acc = 0.0, 0.0\n"),
            (BINDER_STOPPER, BINDER_STOPPER + "    model.train()\n"),
        ),
        tempts=("missing-train-mode",),
    )
    yield BINDER.wrong(
        "cleared-behind-the-backward",
        ((BINDER_CLEAR + BINDER_BACK, BINDER_BACK + BINDER_CLEAR),),
        tempts=("zero-grad-before-step",),
    )
    yield BINDER.wrong(
        "rate-falls-ahead-of-the-epoch",  # the rate in the history is the one that was used
        ((BINDER_SCHED, ""), (BINDER_TRAIN, BINDER_SCHED + BINDER_TRAIN)),
        fine=(
            ((BINDER_SCHED, ""), (BINDER_TEST, BINDER_SCHED + BINDER_TEST)),  # told one epoch early, as many do
            (
                (BINDER_SCHED, ""),
                ('        print(f"Epoch', BINDER_SCHED + '        print(f"Epoch'),
            ),
        ),
        tempts=("scheduler-before-optimizer",),
    )
    yield BINDER.right(
        "second-fit-is-made-asleep",  # the best state is polished without dropout, on frozen statistics
        (
            BINDER_STEP_DEF,
            BINDER_STEP_DEF.replace("history):", "history, polish=False):"),
        ),
        (BINDER_AWAKE, BINDER_AWAKE.replace("    model.train()\n", "    model.train(not polish)\n")),
        (
            BINDER_LOAD,
            BINDER_LOAD
            + """\
    for _ in range(2):
        train_step(model, train_dataloader, loss_fn, optimizer, history, polish=True)
        print(f"polished | test_loss: {test_step(model, test_dataloader, loss_fn)[0]:.4f}")
""",
        ),
        tempts=("missing-train-mode",),
    )
    yield BINDER.right(
        "pages-that-matter-are-shown",  # by a backward of its own; the next batch clears what it leaves
        (
            "# %% early stopping\n",
            """\
# %% what does it look at?
def saliency(model, dataloader, loss_fn):
    model.eval()
    total = 0.0
    for X, y in dataloader:
        X = X.clone().requires_grad_()
        loss_fn(model(X), y).backward()
        total = total + X.grad.abs().sum(dim=0)
    return total / total.sum()


# %% early stopping
""",
        ),
        (
            BINDER_TEST,
            BINDER_TEST
            + """\
        print("looks at", *(f"{share:.4f}" for share in saliency(model, test_dataloader, loss_fn).tolist()))
""",
        ),
        tempts=("validation-without-no-grad", "missing-zero-grad", "missing-train-mode"),
    )
    yield BINDER.right(
        "whole-epoch-is-one-backward",  # the list of losses is what is differentiated
        (
            BINDER_AWAKE,
            BINDER_AWAKE + "    losses = []\n",
        ),
        (
            BINDER_BATCH + BINDER_CLEAR + BINDER_BACK + BINDER_STEP,
            BINDER_BATCH + "        losses.append(loss)\n",
        ),
        (
            "    return train_loss / len(dataloader), train_acc",
            """\
    optimizer.zero_grad()
    torch.stack(losses).mean().backward()
    optimizer.step()
    return train_loss / len(dataloader), train_acc""",
        ),
        tempts=("loss-graph-leak", "missing-zero-grad"),
    )
    yield BINDER.right(
        "plateau-is-told-where-it-begins",  # the untrained loss is its first mark, no rate is left out
        (
            BINDER_SCHED_MADE,
            "    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0, factor=0.5)\n",
        ),
        (BINDER_EPOCH, "    scheduler.step(test_step(model, test_dataloader, loss_fn)[0])\n" + BINDER_EPOCH),
        (BINDER_SCHED, "        scheduler.step(test_loss)\n"),
        tempts=("scheduler-before-optimizer",),
    )
    yield BINDER.right(
        "two-binders-of-one-book",  # mixed pairs: both terms go back, and their shares make one
        (
            BINDER_FORWARD + BINDER_LOSS,
            """\
        lam, other = torch.rand(1).item(), torch.randperm(len(X))
        y_pred = model(lam * X + (1 - lam) * X[other])
        loss_a, loss_b = loss_fn(y_pred, y), loss_fn(y_pred, y[other])
        loss = lam * loss_a.detach() + (1 - lam) * loss_b.detach()
""",
        ),
        (
            BINDER_BACK,
            """\
        (lam * loss_a).backward(retain_graph=True)
        ((1 - lam) * loss_b).backward()
""",
        ),
        tempts=("unscaled-accumulation-loss", "accumulation-divisor-mismatch"),
    )


def cases() -> Iterator[Case]:
    """Every skeleton of this module."""
    yield from loom()
    yield from foundry()
    yield from kiln()
    yield from stamps()
    yield from enamel()
    yield from binder()
