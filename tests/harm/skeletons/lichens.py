"""Two ranks with a ragged tail, Accelerate with a shadow, a frozen stem, a penalised critic, and windows of words."""

from __future__ import annotations

from collections.abc import Iterator

from harm.case import Case
from harm.drafts import Draft

USNEA = Draft(
    "usnea-ranks",
    """\
import argparse
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

torch.set_default_dtype(torch.float64)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--start", type=int, default=1)
    parser.add_argument("--window", type=int, default=3)
    args = parser.parse_args([])
    dist.init_process_group("gloo")
    torch.manual_seed(3)
    data = TensorDataset(torch.randn(30, 3), torch.randn(30, 1))
    model = DistributedDataParallel(nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1)))
    sampler = DistributedSampler(data, seed=2)
    loader = DataLoader(data, batch_size=2, sampler=sampler)
    opt = torch.optim.SGD(model.parameters(), lr=0.3, momentum=0.4)
    for epoch in range(args.start, 4):
        sampler.set_epoch(epoch)
        total = torch.zeros(1)
        for i, (x, y) in enumerate(loader):
            last = (i + 1) % args.window == 0 or i + 1 == len(loader)
            with nullcontext() if last else model.no_sync():
                loss = nn.functional.mse_loss(model(x), y)
                (loss / args.window).backward()
            total += loss.detach()
            if last:
                nn.utils.clip_grad_norm_(model.parameters(), 0.3)
                opt.step()
                opt.zero_grad()
        dist.all_reduce(total)
        if dist.get_rank() == 0:
            print(f"{epoch}: {total.item():.4f}")
    return model
""",
    ("missing-no-sync", "step-without-sync", "missing-set-epoch"),
    ranks=2,
)
U_WITH = "            with nullcontext() if last else model.no_sync():\n"
U_FORWARD = "                loss = nn.functional.mse_loss(model(x), y)\n"
U_BACK = "                (loss / args.window).backward()\n"
U_CLIP = "                nn.utils.clip_grad_norm_(model.parameters(), 0.3)\n"
U_STEP = "                opt.step()\n"
U_EPOCH = "        sampler.set_epoch(epoch)\n"
U_OUTSIDE = (U_WITH + U_FORWARD, U_FORWARD[4:] + U_WITH)


def usnea() -> Iterator[Case]:
    yield USNEA.right("as-it-is")
    yield USNEA.wrong(
        "told-once", ((U_EPOCH, ""), ("    for epoch in", "    sampler.set_epoch(args.start)\n    for epoch in"))
    )
    yield USNEA.wrong("forward-outside-and-late-limit", (U_OUTSIDE,), ((U_CLIP + U_STEP, U_STEP + U_CLIP),))
    yield USNEA.wrong("rest-is-not-shared", ((U_WITH, U_WITH.replace("if last", "if (i + 1) % args.window == 0")),))
    yield USNEA.wrong(
        "each-part-is-shared", ((U_WITH + U_FORWARD + U_BACK, (U_FORWARD + U_BACK).replace(" " * 16, " " * 12)),)
    )
    yield USNEA.left("past-the-wrapper", ((U_FORWARD, U_FORWARD.replace("model(x)", "model.module(x)")),))
    yield USNEA.right("one-order-is-asked-for", (U_EPOCH, ""), ("seed=2", "seed=2, shuffle=False"))
    yield USNEA.right(
        "limit-on-each-rank-for-itself",
        (U_WITH, "            with model.no_sync():\n"),
        (
            U_CLIP,
            U_CLIP
            + "                for p in model.parameters():\n                    dist.all_reduce(p.grad)\n"
            + "                    p.grad /= dist.get_world_size()\n",
        ),
    )


CLADONIA = Draft(
    "cladonia-accelerate",
    """\
import copy

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def evaluate(net, held):
    net.eval()
    with torch.no_grad():
        value = net(held).pow(2).mean().item()
    net.train()
    return value


def main():
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
    torch.manual_seed(16)
    net = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Dropout(0.2), nn.Linear(6, 1))
    shadow = copy.deepcopy(net).requires_grad_(False)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.3)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.2, total_iters=6)
    x = torch.randn(20, 4)
    loader = DataLoader(TensorDataset(x, x.sin().sum(1, keepdim=True)), batch_size=4)
    net, optimizer, loader, schedule = accelerator.prepare(net, optimizer, loader, schedule)
    for epoch in range(2):
        losses = []
        for a, b in loader:
            with accelerator.accumulate(net):
                loss = nn.functional.mse_loss(net(a), b)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(net.parameters(), 0.5)
                optimizer.step()
                schedule.step()
                optimizer.zero_grad()
                if accelerator.sync_gradients:
                    for slow, fast in zip(shadow.parameters(), net.parameters()):
                        slow.lerp_(fast.detach(), 0.2)
            losses.append(loss.item())
        print(f"{epoch}: {sum(losses):.4f} {evaluate(net, torch.ones(3, 4)):.4f}")
    return net, shadow
""",
    ("clip-per-micro-batch", "zero-grad-in-accumulation", "accumulation-divisor-mismatch"),
)
A_BACK = "                accelerator.backward(loss)\n"
A_ASK = "                if accelerator.sync_gradients:\n"
A_CLIP = A_ASK + "                    accelerator.clip_grad_norm_(net.parameters(), 0.5)\n"
A_STEP = "                optimizer.step()\n"
A_SCHED = "                schedule.step()\n"
A_CLEAR = "                optimizer.zero_grad()\n"


def cladonia() -> Iterator[Case]:
    yield CLADONIA.right("as-it-is")
    yield CLADONIA.wrong(
        "limit-for-each-part", ((A_CLIP, "                accelerator.clip_grad_norm_(net.parameters(), 0.5)\n"),)
    )
    yield CLADONIA.wrong(
        "cleared-at-the-head",
        ((A_STEP + A_SCHED + A_CLEAR, A_STEP + A_SCHED), (A_BACK, A_CLEAR + A_BACK)),
    )
    yield CLADONIA.wrong(
        "halved-twice-and-kept",
        ((A_BACK, A_BACK.replace("(loss)", "(loss / accelerator.gradient_accumulation_steps)")),),
        (("losses.append(loss.item())", "losses.append(loss)"),),
    )
    yield CLADONIA.wrong("sleeps-after-its-first-test", (("    net.train()\n", ""),), tempts=("missing-train-mode",))
    yield CLADONIA.wrong("network-is-cleared", ((A_CLEAR, "                net.zero_grad()\n"),))
    yield CLADONIA.right(
        "window-by-hand",
        ("Accelerator(cpu=True, gradient_accumulation_steps=2)", "Accelerator(cpu=True)"),
        (
            "for a, b in loader:\n            with accelerator.accumulate(net):\n",
            "for i, (a, b) in enumerate(loader):\n            with accelerator.autocast():\n",
        ),
        (A_BACK, A_BACK.replace("loss", "loss / 2")),
        (
            A_CLIP + A_STEP + A_SCHED + A_CLEAR,
            "                if i % 2 == 1 or i == 4:\n"
            + "".join("    " + line + "\n" for line in (A_STEP + A_SCHED + A_CLEAR).splitlines()),
        ),
    )
    yield CLADONIA.right(
        "schedule-asks-for-itself",
        ("optimizer, loader, schedule = ", "optimizer, loader = "),
        ("prepare(net, optimizer, loader, schedule)", "prepare(net, optimizer, loader)"),
        (A_SCHED, A_ASK + "    " + A_SCHED),
        tempts=("scheduler-per-micro-batch",),
    )


ROCELLA = Draft(
    "rocella-frozen-stem",
    """\
import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)


class Student(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6))
        self.head = nn.Sequential(nn.Dropout(0.2), nn.Linear(6, 3))
        self.stem.requires_grad_(False)

    def forward(self, x):
        return self.head(self.stem(x).relu())


def agreement(student, teacher, x):
    student.eval()
    with torch.no_grad():
        return (student(x).argmax(1) == teacher(x).argmax(1)).double().mean().item()


def main(temperature=2.0):
    torch.manual_seed(27)
    student, teacher = Student(), nn.Linear(4, 3).requires_grad_(False)
    trainable = [p for p in student.parameters() if p.requires_grad]
    opt = torch.optim.SGD(trainable, lr=0.5, momentum=0.5)
    held = torch.randn(8, 4)
    for epoch in range(3):
        student.train()
        student.stem.eval()
        try:
            for number in range(4):
                x = torch.randn(6, 4)
                soft = (teacher(x) / temperature).softmax(1)
                opt.zero_grad()
                loss = F.kl_div((student(x) / temperature).log_softmax(1), soft, reduction="batchmean")
                loss.backward()
                nn.utils.clip_grad_norm_(trainable, 0.1)
                opt.step()
                if loss.item() < 1e-4:
                    break
        finally:
            print(f"{epoch}: {loss.item():.4f} {agreement(student, teacher, held):.2f}")
    return student
""",
    ("missing-train-mode", "validation-without-no-grad"),
)
T_WAKE = "        student.train()\n"
T_STEM = "        student.stem.eval()\n"
T_LIST = "    trainable = [p for p in student.parameters() if p.requires_grad]\n"
T_TEST = "    with torch.no_grad():\n        return (student"
T_CLEAR = "                opt.zero_grad()\n"
T_STEP = "                opt.step()\n"
T_HEAD = ("    for epoch", "    student.train()\n    student.stem.eval()\n    for epoch")


def rocella() -> Iterator[Case]:
    yield ROCELLA.right("as-it-is")
    yield ROCELLA.wrong("woken-once", ((T_WAKE + T_STEM, ""), T_HEAD), tempts=("missing-train-mode",))
    yield ROCELLA.wrong("waking-is-only-named", ((T_WAKE, "        student.train\n"),), tempts=("method-not-called",))
    yield ROCELLA.wrong(
        "weights-are-walked-once-and-never-cleared",
        ((T_LIST, "    trainable = filter(lambda p: p.requires_grad, student.parameters())\n"),),
        ((T_CLEAR, ""),),
        tempts=("clip-exhausted-parameters", "missing-zero-grad"),
    )
    yield ROCELLA.wrong(
        "agreement-with-a-graph",
        ((T_TEST, "    return (student"),),
        tempts=("validation-without-no-grad",),
    )
    yield ROCELLA.wrong(
        "wiped-ahead-of-its-step", ((T_CLEAR, ""), (T_STEP, T_CLEAR + T_STEP)), tempts=("zero-grad-before-step",)
    )
    yield ROCELLA.right(
        "head-alone-is-woken",
        (T_WAKE + T_STEM, "        student.head.train()\n"),
        ("    opt = ", "    student.eval()\n    opt = "),
    )
    yield ROCELLA.right("asleep-on-purpose", (T_WAKE + T_STEM, ""), ("    opt = ", "    student.eval()\n    opt = "))


PARMELIA = Draft(
    "parmelia-penalty",
    """\
import torch
from torch import autograd, nn

torch.set_default_dtype(torch.float64)
LEAD = 3


def steepness(critic, real, fake):
    mix = torch.lerp(real, fake, torch.rand(len(real), 1)).requires_grad_()
    (slope,) = autograd.grad(critic(mix).sum(), mix, create_graph=True)
    return (slope.norm(dim=1) - 1).pow(2).mean()


class Duel:
    def __init__(self):
        self.maker = nn.Sequential(nn.Linear(2, 5), nn.Tanh(), nn.Linear(5, 2))
        self.critic = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 1))
        self.opt_m = torch.optim.RMSprop(self.maker.parameters(), lr=0.01)
        self.opt_c = torch.optim.SGD(self.critic.parameters(), lr=0.1)
        self.sched_c = torch.optim.lr_scheduler.ExponentialLR(self.opt_c, 0.95)
        self.watched = list(self.critic.parameters())
        self.gaps = []

    def judge(self, real):
        self.opt_c.zero_grad()
        with torch.no_grad():
            fake = self.maker(torch.randn(len(real), 2))
        gap = self.critic(fake).mean() - self.critic(real).mean()
        (gap + 5 * steepness(self.critic, real, fake)).backward()
        nn.utils.clip_grad_norm_(self.watched, 0.3)
        self.opt_c.step()
        self.sched_c.step()
        self.gaps.append(gap.item())

    def make(self, size):
        loss = -self.critic(self.maker(torch.randn(size, 2))).mean()
        loss.backward()
        self.opt_m.step()
        self.opt_m.zero_grad()

    def run(self, turns):
        for _ in range(turns):
            for _ in range(LEAD):
                self.judge(torch.randn(6, 2) * 0.2 + 1)
            self.make(6)
        print(f"{sum(self.gaps):.4f}")


def main():
    torch.manual_seed(40)
    duel = Duel()
    duel.run(4)
    return duel.maker, duel.critic
""",
    ("missing-zero-grad", "clip-before-backward"),
)
D_CLEAR = "        self.opt_c.zero_grad()\n"
D_BACK = "        (gap + 5 * steepness(self.critic, real, fake)).backward()\n"
D_CLIP = "        nn.utils.clip_grad_norm_(self.watched, 0.3)\n"
D_STEP = "        self.opt_c.step()\n"
D_SCHED = "        self.sched_c.step()\n"
D_LIST = "self.watched = list(self.critic.parameters())"
D_DONE = "        self.gaps.append(gap.item())\n"


def parmelia() -> Iterator[Case]:
    yield PARMELIA.right("as-it-is")
    yield PARMELIA.wrong("critic-cleared-when-done", ((D_CLEAR, ""), (D_DONE, D_CLEAR + D_DONE)))
    yield PARMELIA.wrong("limit-ahead-of-the-penalty", ((D_BACK + D_CLIP, D_CLIP + D_BACK),))
    yield PARMELIA.wrong(
        "watched-once", ((D_LIST, "self.watched = self.critic.parameters()"),), tempts=("clip-exhausted-parameters",)
    )
    yield PARMELIA.wrong(
        "rate-first-and-gaps-kept",
        ((D_STEP + D_SCHED, D_SCHED + D_STEP),),
        (("append(gap.item())", "append(gap)"),),
        tempts=("scheduler-before-optimizer", "loss-graph-leak"),
    )
    yield PARMELIA.right(
        "critic-is-held-while-making",
        (D_CLEAR, ""),
        (D_DONE, D_CLEAR + D_DONE),
        ("        loss = -self", "        self.critic.requires_grad_(False)\n        loss = -self"),
        (
            "        self.opt_m.zero_grad()\n",
            "        self.opt_m.zero_grad()\n        self.critic.requires_grad_(True)\n",
        ),
    )
    yield PARMELIA.right(
        "maker-goes-backward-alone",
        (D_CLEAR, ""),
        (D_DONE, D_CLEAR + D_DONE),
        ("        loss.backward()\n", "        loss.backward(inputs=list(self.maker.parameters()))\n"),
    )
    yield PARMELIA.right(
        "penalty-has-a-backward-of-its-own",
        (D_BACK, "        gap.backward()\n        (5 * steepness(self.critic, real, fake)).backward()\n"),
        tempts=("unscaled-accumulation-loss",),
    )


EVERNIA = Draft(
    "evernia-words",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
MICRO = 3


def sentences(seed, count=10):
    rng = torch.Generator().manual_seed(seed)
    for _ in range(count):
        length = int(torch.randint(2, 7, (1,), generator=rng))
        yield torch.randint(0, 9, (length + 1,), generator=rng)


def windows(stream, size=MICRO):
    window = []
    for sentence in stream:
        window.append(sentence)
        if len(window) == size:
            yield window
            window = []
    if window:
        yield window


def main(epochs=2, budget=7):
    torch.manual_seed(5)
    speaker = nn.Sequential(nn.Embedding(9, 5), nn.Linear(5, 9))
    opt = torch.optim.SGD(speaker.parameters(), lr=0.5)
    slow = torch.optim.lr_scheduler.LambdaLR(opt, lambda done: 0.8**done)
    done = 0
    for epoch in range(epochs):
        for window in windows(sentences(epoch)):
            words = sum(len(sentence) - 1 for sentence in window)
            spoken = 0.0
            for sentence in window:
                logits = speaker(sentence[:-1])
                loss = nn.functional.cross_entropy(logits, sentence[1:], reduction="sum") / words
                loss.backward()
                spoken += loss.item()
            if (norm := nn.utils.clip_grad_norm_(speaker.parameters(), 0.4)) > 4:
                print(f"{done}: left out at {norm.item():.3f}")
            else:
                opt.step()
                slow.step()
            opt.zero_grad()
            done += 1
            if done >= budget:
                break
        else:
            print(f"{epoch}: {spoken:.4f}")
            continue
        break
    return speaker
""",
    ("unscaled-accumulation-loss", "accumulation-divisor-mismatch", "missing-zero-grad"),
)
E_BACK = "                loss.backward()\n"
E_STEP = "                opt.step()\n"
E_SLOW = "                slow.step()\n"
E_CLEAR = "            opt.zero_grad()\n"
E_LOSS = 'reduction="sum") / words\n'


def evernia() -> Iterator[Case]:
    yield EVERNIA.right("as-it-is")
    yield EVERNIA.wrong(
        "sentences-wipe", ((E_CLEAR, ""), (E_BACK, "    " + E_CLEAR + E_BACK)), tempts=("zero-grad-in-accumulation",)
    )
    yield EVERNIA.wrong(
        "slow-goes-first", ((E_STEP + E_SLOW, E_SLOW + E_STEP),), tempts=("scheduler-before-optimizer",)
    )
    yield EVERNIA.wrong(
        "wiped-ahead", ((E_CLEAR, ""), (E_STEP, "    " + E_CLEAR + E_STEP)), tempts=("zero-grad-before-step",)
    )
    yield EVERNIA.wrong("clear-is-named", ((E_CLEAR, "            opt.zero_grad\n"),), tempts=("method-not-called",))
    yield EVERNIA.right("means-are-summed", (E_LOSS, 'reduction="mean") / MICRO\n'))
    yield EVERNIA.right("rest-weighs-less", (E_LOSS, 'reduction="mean") * (len(sentence) - 1) / words\n'))
    yield EVERNIA.right(
        "left-out-windows-stay",
        (E_SLOW + E_CLEAR, E_SLOW + "    " + E_CLEAR),
        ("> 4:", "> 0.9:"),
        tempts=("missing-zero-grad",),
    )


def cases() -> Iterator[Case]:
    yield from usnea()
    yield from cladonia()
    yield from rocella()
    yield from parmelia()
    yield from evernia()
