"""A network half wrapped, one scale for two optimizers, events that train, songs in chunks, and windows as contexts."""

from __future__ import annotations

from collections.abc import Iterator

from harm.case import Case
from harm.drafts import Draft

POMMEL = Draft(
    "pommel-half-wrapped",
    """\
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

torch.set_default_dtype(torch.float64)
WINDOW, TOTAL = 2, 10


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(1)
    encoder, predictor = DDP(nn.Sequential(nn.Linear(4, 6), nn.Tanh())), nn.Linear(6, 4)
    weights = [*encoder.parameters(), *predictor.parameters()]
    opt = torch.optim.SGD(weights, lr=0.3, momentum=0.5)
    data = TensorDataset(torch.randn(24, 4))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=3, sampler=sampler)
    step, epoch = 0, 0
    while step < TOTAL:
        sampler.set_epoch(epoch)
        epoch += 1
        for (x,) in loader:
            step += 1
            encoder.require_backward_grad_sync = step % WINDOW == 0
            loss = nn.functional.mse_loss(predictor(encoder(x)), x.roll(1, 1))
            (loss / WINDOW).backward()
            if step % WINDOW == 0:
                for p in predictor.parameters():
                    dist.all_reduce(p.grad)
                    p.grad /= dist.get_world_size()
                nn.utils.clip_grad_norm_(weights, 0.2)
                opt.step()
                opt.zero_grad()
            if step == TOTAL:
                break
    return encoder, predictor
""",
    ("step-without-sync", "missing-no-sync", "missing-set-epoch"),
    ranks=2,
)
B_FLAG = "            encoder.require_backward_grad_sync = step % WINDOW == 0\n"
B_BACK = "            (loss / WINDOW).backward()\n"
B_ASK = "            if step % WINDOW == 0:\n"
B_EPOCH = "        sampler.set_epoch(epoch)\n        epoch += 1\n"
B_CLIP = "                nn.utils.clip_grad_norm_(weights, 0.2)\n"
B_STEP = "                opt.step()\n"
B_CLEAR = "                opt.zero_grad()\n"
B_MINE = "                for p in predictor.parameters():\n"


def pommel() -> Iterator[Case]:
    yield POMMEL.right("as-it-is")
    yield POMMEL.wrong(
        "never-told-and-never-cleared", ((B_EPOCH, ""), (", epoch = 0, 0", " = 0")), ((B_STEP + B_CLEAR, B_STEP),)
    )
    yield POMMEL.wrong("first-part-is-shared", ((B_FLAG, B_FLAG.replace("== 0", "== 1")),))
    yield POMMEL.wrong("each-part-is-shared", ((B_FLAG, ""),), tempts=("missing-no-sync",))
    yield POMMEL.wrong(
        "window-of-one-comes-first",
        ((B_ASK, B_ASK.replace("step %", "(step + 1) %")), (B_FLAG, B_FLAG.replace("step %", "(step + 1) %"))),
        tempts=("accumulation-off-by-one",),
    )
    yield POMMEL.right(
        "all-are-averaged-by-hand",
        (B_FLAG, "            encoder.require_backward_grad_sync = False\n"),
        (B_MINE, "                for p in weights:\n"),
    )
    yield POMMEL.right(
        "limit-knows-the-number-of-ranks",
        ("                    p.grad /= dist.get_world_size()\n", "                    p.grad.div_(2)\n"),
        (B_BACK, "            loss.backward()\n"),
        (B_CLIP, "                for p in weights:\n                    p.grad /= WINDOW\n" + B_CLIP),
        tempts=("unscaled-accumulation-loss",),
    )


GIRTH = Draft(
    "girth-one-scale",
    """\
import torch
from torch import nn


def main():
    torch.manual_seed(8)
    body, top = nn.Sequential(nn.Linear(3, 6), nn.Tanh()), nn.Linear(6, 1)
    opt_body = torch.optim.SGD(body.parameters(), lr=0.1, momentum=0.5)
    opt_top = torch.optim.SGD(top.parameters(), lr=0.05)
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0, growth_interval=3)
    warm = torch.optim.lr_scheduler.LambdaLR(opt_body, lambda done: min(1.0, (done + 1) / 4))
    for step in range(9):
        x = torch.randn(6, 3)
        y = x.prod(1, keepdim=True) * (float("inf") if step == 5 else 1.0)
        with torch.autocast("cpu", dtype=torch.float16):
            out = top(body(x))
        loss = nn.functional.mse_loss(out.float(), y)
        opt_body.zero_grad()
        opt_top.zero_grad()
        scaler.scale(loss).backward()
        scaler.unscale_(opt_body)
        scaler.unscale_(opt_top)
        nn.utils.clip_grad_norm_([*body.parameters(), *top.parameters()], 0.3)
        scaler.step(opt_body)
        scaler.step(opt_top)
        before = scaler.get_scale()
        scaler.update()
        if scaler.get_scale() >= before:
            warm.step()
        print(f"{step}: {loss.item():.3f} {scaler.get_scale()}")
    return body, top
""",
    ("missing-scaler-update", "clip-scaled-gradients"),
)
G_TOP = "        scaler.step(opt_top)\n"
G_BODY = "        scaler.step(opt_body)\n"
G_UPDATE = "        scaler.update()\n"
G_CLIP = "        nn.utils.clip_grad_norm_([*body.parameters(), *top.parameters()], 0.3)\n"
G_UN_TOP = "        scaler.unscale_(opt_top)\n"
G_UN_BODY = "        scaler.unscale_(opt_body)\n"
BF = GIRTH.styled(
    ("torch.float16", "torch.bfloat16"),
    ('"cpu", init', '"cpu", enabled=False, init'),
    (' * (float("inf") if step == 5 else 1.0)', ""),
)


def girth() -> Iterator[Case]:
    yield GIRTH.right("as-it-is")
    yield GIRTH.wrong("top-keeps-its-scale", ((G_UN_TOP, ""),), tempts=("clip-scaled-gradients",))
    yield GIRTH.wrong("top-steps-by-itself", ((G_TOP, "        opt_top.step()\n"),), tempts=("step-bypasses-scaler",))
    yield GIRTH.wrong(
        "updated-between-the-two",
        ((G_TOP, G_UPDATE + G_TOP), ("before = scaler.get_scale()\n" + G_UPDATE, "before = scaler.get_scale()\n")),
        tempts=("missing-scaler-update",),
        raises="RuntimeError",
    )
    yield GIRTH.wrong("unscaled-twice", ((G_TOP, G_UN_TOP + G_TOP),), tempts=("double-unscale",), raises="RuntimeError")
    yield GIRTH.wrong(
        "limit-behind-both", ((G_CLIP + G_BODY + G_TOP, G_BODY + G_TOP + G_CLIP),), tempts=("clip-after-step",)
    )
    yield BF.wrong(
        "scale-for-bfloat16",
        (("enabled=False, ", ""),),
        fine=((("torch.bfloat16", "torch.float16"), ("enabled=False, ", "")),),
        tempts=("scaler-with-bfloat16",),
    )
    yield GIRTH.right(
        "body-waits-for-the-top",
        (G_BODY, "        if step > 1:\n    " + G_BODY),
        tempts=("missing-scaler-update", "scheduler-before-optimizer"),
    )
    yield GIRTH.right(
        "each-is-limited-in-its-own-way",
        (G_UN_TOP, "        nn.utils.clip_grad_norm_(top.parameters(), 0.3 * scaler.get_scale())\n"),
        (G_CLIP, "        nn.utils.clip_grad_norm_(body.parameters(), 0.3)\n"),
    )


BRIDLE = Draft(
    "bridle-events",
    """\
import copy
from collections import defaultdict

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Trainer:
    def __init__(self, every=2, total_updates=6):
        torch.manual_seed(29)
        self.net = nn.Sequential(nn.Linear(2, 5), nn.Softplus(), nn.Linear(5, 1))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.2, momentum=0.5)
        self.sched = torch.optim.lr_scheduler.LinearLR(self.opt, 1.0, 0.1, total_iters=total_updates)
        self.events, self.notes = defaultdict(list), []
        self.every, self.micro = every, 0

    def on(self, name):
        return self.events[name].append

    def fire(self, name, *what):
        for call in self.events[name]:
            call(self, *what)

    def fit(self, until):
        while self.micro < until:
            rng = torch.Generator().manual_seed(self.micro)
            x = torch.randn(4, 2, generator=rng)
            loss = nn.functional.mse_loss(self.net(x), x.prod(1, keepdim=True))
            (loss / self.every).backward()
            self.micro += 1
            self.fire("part", loss)
            if self.micro % self.every == 0:
                self.fire("window")
        return self


def note(trainer, loss):
    trainer.notes.append(loss.item())


def limit(trainer):
    nn.utils.clip_grad_norm_(trainer.net.parameters(), 0.6)


def update(trainer):
    trainer.opt.step()
    trainer.sched.step()
    trainer.opt.zero_grad()


def build():
    trainer = Trainer()
    trainer.on("part")(note)
    trainer.on("window")(limit)
    trainer.on("window")(update)
    return trainer


def main():
    first = build().fit(6)
    second = build()
    second.net.load_state_dict(copy.deepcopy(first.net.state_dict()))
    second.micro = first.micro
    second.fit(12)
    print(f"{sum(first.notes):.4f} {sum(second.notes):.4f}")
    return first.net, second.net
""",
    ("missing-zero-grad", "clip-after-step"),
)
H_ON_LIMIT = '    trainer.on("window")(limit)\n'
H_ON_UPDATE = '    trainer.on("window")(update)\n'
H_BACK = "            (loss / self.every).backward()\n"
H_CLEAR = "    trainer.opt.zero_grad()\n"
H_SCHED = "    trainer.sched.step()\n"
H_NOTE = "    trainer.notes.append(loss.item())\n"


def bridle() -> Iterator[Case]:
    yield BRIDLE.right("as-it-is")
    yield BRIDLE.wrong("limit-is-told-last", ((H_ON_LIMIT + H_ON_UPDATE, H_ON_UPDATE + H_ON_LIMIT),))
    yield BRIDLE.wrong(
        "rate-moves-with-each-part", ((H_SCHED, ""), (H_NOTE, H_NOTE + H_SCHED)), tempts=("scheduler-per-micro-batch",)
    )
    yield BRIDLE.wrong(
        "parts-are-limited",
        ((H_ON_LIMIT, '    trainer.on("part")(lambda t, _: limit(t))\n'),),
        tempts=("clip-per-micro-batch",),
    )
    yield BRIDLE.wrong(
        "one-ahead-and-notes-kept",
        (("if self.micro % self.every", "if (self.micro + 1) % self.every"),),
        ((H_NOTE, H_NOTE.replace(".item()", "")),),
        tempts=("accumulation-off-by-one", "loss-graph-leak"),
    )
    yield BRIDLE.wrong(
        "sum-of-parts", ((H_BACK, "            loss.backward()\n"),), tempts=("unscaled-accumulation-loss",)
    )
    yield BRIDLE.right(
        "cleared-by-a-listener",
        (H_CLEAR, ""),
        (H_ON_UPDATE, H_ON_UPDATE + '    trainer.on("window")(lambda t: t.net.zero_grad())\n'),
    )
    yield BRIDLE.right("taken-up-in-the-middle", ("second.micro = first.micro", "second.micro = first.micro - 1"))


STIRRUP = Draft(
    "stirrup-songs",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
LENGTH, CHUNK = 12, 4


class Singer(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.drop, self.out = nn.GRUCell(2, 5), nn.Dropout(0.1), nn.Linear(5, 1)

    def forward(self, x, state):
        state = self.cell(x, state)
        return self.out(self.drop(state)), state


def rehearse(singer, song):
    singer.eval()
    with torch.no_grad():
        heard, state = 0.0, torch.zeros(song.shape[1], 5)
        for note in song:
            voice, state = singer(note, state)
            heard += voice.mean().item()
    singer.train()
    return heard


def main():
    torch.manual_seed(18)
    singer = Singer()
    opt = torch.optim.Adagrad(singer.parameters(), lr=0.1)
    errors = []
    for number in range(4):
        song = torch.randn(LENGTH, 3, 2)
        tune = song.cumsum(0).tanh().mean(2, keepdim=True)
        state = torch.zeros(3, 5)
        for start in range(0, LENGTH, CHUNK):
            state, loss = state.detach(), 0.0
            for t in range(start, start + CHUNK):
                voice, state = singer(song[t], state)
                loss = loss + nn.functional.mse_loss(voice, tune[t])
            (loss / LENGTH).backward()
            errors.append(loss.item())
        nn.utils.clip_grad_norm_(singer.parameters(), 0.05)
        opt.step()
        opt.zero_grad()
        print(f"{number}: {sum(errors[-3:]):.4f} {rehearse(singer, song):.4f}")
    return singer
""",
    ("accumulation-divisor-mismatch", "loss-graph-leak", "missing-train-mode"),
)
N_BACK = "            (loss / LENGTH).backward()\n"
N_CLIP = "        nn.utils.clip_grad_norm_(singer.parameters(), 0.05)\n"
N_STEP = "        opt.step()\n"
N_CLEAR = "        opt.zero_grad()\n"


def stirrup() -> Iterator[Case]:
    yield STIRRUP.right("as-it-is")
    yield STIRRUP.wrong(
        "chunks-wipe", ((N_CLEAR, ""), (N_BACK, "    " + N_CLEAR + N_BACK)), tempts=("zero-grad-in-accumulation",)
    )
    yield STIRRUP.wrong(
        "chunks-are-limited", ((N_CLIP, ""), (N_BACK, N_BACK + "    " + N_CLIP)), tempts=("clip-per-micro-batch",)
    )
    yield STIRRUP.wrong(
        "asleep-and-errors-kept",
        (("    singer.train()\n", ""),),
        (("errors.append(loss.item())", "errors.append(loss)"),),
        tempts=("missing-train-mode", "loss-graph-leak"),
    )
    yield STIRRUP.wrong("never-cleared", ((N_STEP + N_CLEAR, N_STEP),), tempts=("missing-zero-grad",))
    yield STIRRUP.right(
        "each-chunk-is-an-update",
        (N_CLIP + N_STEP + N_CLEAR, ""),
        (N_BACK, "            (loss / CHUNK).backward()\n" + "".join("    " + s for s in (N_CLIP, N_STEP, N_CLEAR))),
    )
    yield STIRRUP.right(
        "chunks-weigh-their-notes", (N_BACK, "            (loss / CHUNK * (CHUNK / LENGTH)).backward()\n")
    )


CRUPPER = Draft(
    "crupper-contexts",
    """\
from contextlib import contextmanager
from itertools import islice

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


@contextmanager
def window(opt, net, limit):
    opt.zero_grad()
    yield
    nn.utils.clip_grad_norm_(net.parameters(), limit)
    opt.step()


def stream():
    rng = torch.Generator().manual_seed(77)
    while True:
        x = torch.randn(5, 3, generator=rng)
        yield x, x.square().sum(1, keepdim=True)


def main(updates=5, parts=3):
    torch.manual_seed(20)
    net = nn.Sequential(nn.Linear(3, 6), nn.GELU(), nn.Linear(6, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.6)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=updates)
    batches = stream()
    for turn in range(updates):
        heard = []
        with window(opt, net, 1.0):
            for x, y in islice(batches, parts):
                loss = nn.functional.huber_loss(net(x), y)
                (loss / parts).backward()
                heard.append(loss.item())
        sched.step()
        print(f"{turn}: {sum(heard) / len(heard):.4f} {sched.get_last_lr()[0]:.4f}")
    return net
""",
    ("missing-zero-grad", "unscaled-accumulation-loss"),
)
Q_CLEAR = "    opt.zero_grad()\n"
Q_CLIP = "    nn.utils.clip_grad_norm_(net.parameters(), limit)\n"
Q_STEP = "    opt.step()\n"
Q_BACK = "                (loss / parts).backward()\n"
Q_SCHED = "        sched.step()\n"


def crupper() -> Iterator[Case]:
    yield CRUPPER.right("as-it-is")
    yield CRUPPER.wrong("entered-without-a-clear", ((Q_CLEAR, ""),), tempts=("missing-zero-grad",))
    yield CRUPPER.wrong("left-by-a-late-limit", ((Q_CLIP + Q_STEP, Q_STEP + Q_CLIP),), tempts=("clip-after-step",))
    yield CRUPPER.wrong(
        "limited-on-entering", ((Q_CLIP, ""), (Q_CLEAR, Q_CLEAR + Q_CLIP)), tempts=("clip-before-backward",)
    )
    yield CRUPPER.wrong(
        "rate-moves-inside",
        ((Q_SCHED, ""), (Q_BACK, Q_BACK + "        " + Q_SCHED)),
        tempts=("scheduler-per-micro-batch",),
    )
    yield CRUPPER.wrong("parts-add-up", ((Q_BACK, "                loss.backward()\n"),))
    yield CRUPPER.right("cleared-on-leaving", (Q_CLEAR, ""), (Q_STEP, Q_STEP + Q_CLEAR))
    yield CRUPPER.right(
        "two-windows-in-one-another",
        ("        with window(opt, net, 1.0):\n", "        with window(opt, net, 1.5), window(idle, net[0], 9.0):\n"),
        ("    batches = ", "    idle = torch.optim.SGD(net[0].parameters(), lr=0.01)\n    batches = "),
        tempts=("zero-grad-before-step", "missing-zero-grad"),
    )


def cases() -> Iterator[Case]:
    yield from pommel()
    yield from girth()
    yield from bridle()
    yield from stirrup()
    yield from crupper()
