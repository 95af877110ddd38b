"""Language and music: chunks of verse, duets of two optimizers, bars without a length, critics and teachers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

VERSE = Draft(
    "verse-in-chunks",
    """\
import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)
VERSE = "so much depends upon a red wheel barrow glazed with rain water "
LETTERS = sorted(set(VERSE))
CODES = torch.tensor([LETTERS.index(letter) for letter in VERSE])
CHUNK, HOLD = 5, 3


class Reader(nn.Module):
    def __init__(self, letters, width=8):
        super().__init__()
        self.table = nn.Embedding(letters, width)
        self.cell = nn.GRU(width, width, batch_first=True)
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(width, letters)

    def forward(self, codes, state=None):
        hidden, state = self.cell(self.table(codes), state)
        return self.out(self.drop(hidden)), state


def chunks(codes):
    for start in range(0, len(codes) - CHUNK, CHUNK):
        yield codes[None, start : start + CHUNK], codes[start + 1 : start + CHUNK + 1]


def nats(reader, codes):
    spent = 0.0
    reader.eval()
    with torch.no_grad():
        for given, following in chunks(codes):
            spent += F.cross_entropy(reader(given)[0][0], following).item()
    reader.train()
    return spent


def main():
    torch.manual_seed(4)
    reader = Reader(len(LETTERS))
    optimizer = torch.optim.SGD(reader.parameters(), lr=0.5, momentum=0.6)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 8)
    for epoch in range(2):
        state, total, held = None, 0.0, 0
        for codes, following in chunks(CODES):
            letters, state = reader(codes, state)
            state = state.detach()
            loss = F.cross_entropy(letters[0], following)
            (loss / HOLD).backward()
            total += loss.item()
            held += 1
            if held % HOLD == 0:
                nn.utils.clip_grad_norm_(reader.parameters(), 0.3)
                optimizer.step()
                schedule.step()
                optimizer.zero_grad()
        print(f"{epoch}: {total / held:.4f} {nats(reader, CODES):.4f}")
    return reader
""",
    ("unscaled-accumulation-loss", "loss-graph-leak"),
)

V_CLIP = "                nn.utils.clip_grad_norm_(reader.parameters(), 0.3)\n"
V_STEP = "                optimizer.step()\n"
V_SCHED = "                schedule.step()\n"
V_CLEAR = "                optimizer.zero_grad()\n"
V_GRADS = "    with torch.no_grad():\n        for given, following in chunks(codes):\n            spent"
V_BARE = "    for given, following in chunks(codes):\n        spent"


def verse() -> Iterator[Case]:
    yield VERSE.right("as-it-is")
    yield VERSE.right(
        "one-backward-for-the-whole-window",
        ("            state = state.detach()\n", ""),
        ("state, total, held = None, 0.0, 0", "state, total, held, window = None, 0.0, 0, 0.0"),
        ("            (loss / HOLD).backward()\n", "            window = window + loss\n"),
        (
            V_CLIP,
            "                (window / HOLD).backward()\n                window, state = 0.0, state.detach()\n"
            + V_CLIP,
        ),
        tempts=("loss-graph-leak",),
    )
    yield VERSE.right(
        "schedule-as-long-as-the-chunks",
        ("CosineAnnealingLR(optimizer, 8)", "CosineAnnealingLR(optimizer, 2 * len(list(chunks(CODES))))"),
        (V_SCHED + V_CLEAR, V_CLEAR + "            schedule.step()\n"),
        tempts=("scheduler-per-micro-batch",),
    )
    yield VERSE.right(
        "sum-of-letters-over-the-window",
        ("(letters[0], following)\n            (loss", '(letters[0], following, reduction="sum")\n            (loss'),
        ("(loss / HOLD)", "(loss / (HOLD * CHUNK))"),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield VERSE.wrong(
        "total-keeps-the-graph", (("total += loss.item()", "total += loss"),), tempts=("loss-graph-leak",)
    )
    yield VERSE.wrong("stays-asleep", (("    reader.train()\n", ""),), tempts=("missing-train-mode",))
    yield VERSE.wrong("measured-with-gradients", ((V_GRADS, V_BARE),), tempts=("validation-without-no-grad",))
    yield VERSE.wrong(
        "rate-first-and-clip-last",
        ((V_CLIP + V_STEP + V_SCHED, V_SCHED + V_STEP + V_CLIP),),
        fine=(((V_CLIP + V_STEP + V_SCHED, V_SCHED + V_CLIP + V_STEP),), ((V_CLIP + V_STEP, V_STEP + V_CLIP),)),
        tempts=("scheduler-before-optimizer",),
    )
    yield VERSE.wrong("named-not-called", ((V_CLEAR, V_CLEAR.replace("()", "")),), tempts=("method-not-called",))


DUET = Draft(
    "duet-in-turns",
    """\
import torch

torch.set_default_dtype(torch.float64)


def bars(count, seed):
    source = torch.Generator().manual_seed(seed)
    return [torch.rand(5, 4, generator=source) for _ in range(count)]


def main(rounds=2, share=2):
    torch.manual_seed(30)
    players = torch.nn.ModuleDict({
        "violin": torch.nn.Sequential(torch.nn.Linear(4, 6), torch.nn.Tanh(), torch.nn.Linear(6, 4)),
        "cello": torch.nn.Sequential(torch.nn.Linear(4, 5), torch.nn.ELU(), torch.nn.Linear(5, 4)),
    })
    optims = {name: torch.optim.SGD(player.parameters(), lr=0.2) for name, player in players.items()}
    rates = {name: torch.optim.lr_scheduler.ExponentialLR(opt, 0.7) for name, opt in optims.items()}
    for number in range(rounds):
        heard = {name: [] for name in players}
        for beat, bar in enumerate(bars(8, number)):
            name = "violin" if beat // share % 2 == 0 else "cello"
            discord = (players["violin"](bar) - players["cello"](bar.flip(1))).pow(2).mean()
            effort = players[name](bar).abs().mean()
            loss = discord + 0.1 * effort
            (loss / share).backward()
            heard[name].append(loss.item())
            if beat % share == share - 1:
                torch.nn.utils.clip_grad_norm_(players[name].parameters(), 0.25)
                optims[name].step()
                rates[name].step()
                players.zero_grad()
        print(number, *(f"{name} {sum(losses):.4f}" for name, losses in heard.items()))
    return players
""",
    ("missing-zero-grad", "zero-grad-in-accumulation"),
)

U_CLIP = "                torch.nn.utils.clip_grad_norm_(players[name].parameters(), 0.25)\n"
U_STEP = "                optims[name].step()\n"
U_RATE = "                rates[name].step()\n"
U_CLEAR = "                players.zero_grad()\n"
U_BACK = "            (loss / share).backward()\n"


def duet() -> Iterator[Case]:
    yield DUET.right("as-it-is")
    yield DUET.right("what-the-other-left-is-kept", (U_CLEAR, "                optims[name].zero_grad()\n"))
    yield DUET.right(
        "cleared-when-a-share-begins",
        (U_CLEAR, ""),
        (U_BACK, "            if beat % share == 0:\n                players.zero_grad()\n" + U_BACK),
    )
    yield DUET.wrong("undivided", ((U_BACK, "            loss.backward()\n"),), tempts=("unscaled-accumulation-loss",))
    yield DUET.wrong(
        "divided-by-the-bars",
        ((U_BACK, "            (loss / 8).backward()\n"),),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield DUET.wrong("nobody-clears", ((U_CLEAR, ""),), tempts=("missing-zero-grad",))
    yield DUET.wrong(
        "cleared-in-front-of-the-step",
        ((U_STEP + U_RATE + U_CLEAR, U_CLEAR + U_STEP + U_RATE),),
        tempts=("zero-grad-before-step",),
    )
    yield DUET.wrong("kept-as-tensors", (("append(loss.item())", "append(loss)"),), tempts=("loss-graph-leak",))


TEMPO = Draft(
    "tempo-without-a-length",
    """\
import math

import torch
from torch import nn, optim

torch.set_default_dtype(torch.float64)


def tune(seed, bars):
    rng = torch.Generator().manual_seed(seed)
    while bars:
        note = torch.randn(3, 2, generator=rng)
        yield note, note.cos().prod(-1, keepdim=True)
        bars -= 1


class Conductor:
    every = 3

    def __init__(self):
        torch.manual_seed(77)
        self.net = nn.Sequential(nn.Linear(2, 6), nn.GELU(), nn.Linear(6, 1))
        self.opt = optim.RMSprop(self.net.parameters(), lr=0.03)
        self.rate = optim.lr_scheduler.LambdaLR(self.opt, lambda done: 1 / math.sqrt(1 + done))
        self.skipped = 0

    def close(self, share=1.0):
        for weight in self.net.parameters():
            weight.grad.div_(self.every * share)
        norm = nn.utils.clip_grad_norm_(self.net.parameters(), 0.4)
        if torch.isfinite(norm):
            self.opt.step()
            self.rate.step()
        else:
            self.skipped += 1
        self.opt.zero_grad()

    def play(self, notes):
        open_bars = 0
        for note, wanted in notes:
            loss = (self.net(note) - wanted).square().mean()
            if not math.isfinite(loss.item()):
                continue
            loss.backward()
            open_bars += 1
            if open_bars < self.every:
                continue
            self.close()
            open_bars = 0
        if open_bars:
            self.close(open_bars / self.every)


def main():
    conductor = Conductor()
    for movement, bars in enumerate((7, 6, 5)):
        conductor.play(tune(movement, bars))
        print(movement, conductor.skipped, conductor.rate.get_last_lr())
    return conductor.net
""",
    ("dropped-accumulation-tail", "unscaled-accumulation-loss"),
)

T_CLIP = "        norm = nn.utils.clip_grad_norm_(self.net.parameters(), 0.4)\n"
T_GOOD = "        if torch.isfinite(norm):\n            self.opt.step()\n            self.rate.step()\n"
T_CLOSE = T_CLIP + T_GOOD + "        else:\n            self.skipped += 1\n"
T_STEPS = "        self.opt.step()\n        self.rate.step()\n"
T_CLEAR = "        self.opt.zero_grad()\n"
T_TWICE = ("            loss.backward()\n", "            (loss / self.every).backward()\n")
T_ONCE = ("weight.grad.div_(self.every * share)", "weight.grad.div_(share)")
T_METHOD = (
    "    def close(self",
    "    def clip(self):\n        return nn.utils.clip_grad_norm_(self.net.parameters(), 0.4)\n\n    def close(self",
)
T_TAIL = "        if open_bars:\n            self.close(open_bars / self.every)\n"


def tempo() -> Iterator[Case]:
    yield TEMPO.right("as-it-is")
    yield TEMPO.right("tail-with-the-weight-of-a-window", ("self.close(open_bars / self.every)", "self.close()"))
    yield TEMPO.right("tail-given-up", (T_TAIL, "        self.opt.zero_grad()\n"))
    yield TEMPO.right(
        "tail-goes-on-in-the-next-movement",
        (T_TAIL, ""),
        ("        self.skipped = 0\n", "        self.skipped = 0\n        self.open_bars = 0\n"),
        ("        open_bars = 0\n        for note", "        for note"),
        (
            "            open_bars += 1\n            if open_bars < self",
            "            self.open_bars += 1\n            if self.open_bars < self",
        ),
        (
            "            self.close()\n            open_bars = 0\n",
            "            self.close()\n            self.open_bars = 0\n",
        ),
    )
    yield TEMPO.wrong(
        "divided-in-both-places", (T_TWICE,), fine=((T_TWICE, T_ONCE),), tempts=("accumulation-divisor-mismatch",)
    )
    yield TEMPO.wrong(
        "clip-behind-the-step",
        ((T_CLOSE, T_STEPS + "        self.clip()\n"), T_METHOD),
        fine=(((T_CLOSE, "        self.clip()\n" + T_STEPS), T_METHOD),),
        tempts=("clip-after-step",),
    )
    yield TEMPO.wrong("close-clears-nothing", ((T_CLEAR, ""),), tempts=("missing-zero-grad",))
    yield TEMPO.wrong("cleared-when-skipped-only", ((T_CLEAR, "    " + T_CLEAR),), tempts=("missing-zero-grad",))


CHORDS = Draft(
    "chords-and-their-critic",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def real_chords(step):
    root = torch.rand(4, 1, generator=torch.Generator().manual_seed(step))
    return torch.cat([root, root + 0.25, root + 0.5], 1)


def penalty(critic, real, fake):
    mixed = (0.3 * real + 0.7 * fake).requires_grad_()
    (slope,) = torch.autograd.grad(critic(mixed).sum(), mixed, create_graph=True)
    return (slope.norm(dim=1) - 1).square().mean()


def main(n_critic=2):
    torch.manual_seed(12)
    composer = nn.Sequential(nn.Linear(2, 8), nn.Softplus(), nn.Linear(8, 3))
    critic = nn.Sequential(nn.Linear(3, 8), nn.Softplus(), nn.Linear(8, 1))
    opt_c = torch.optim.Adam(critic.parameters(), lr=0.01, betas=(0.5, 0.9))
    opt_g = torch.optim.SGD(composer.parameters(), lr=0.1)
    scores, tensions = [], 0.0
    for step in range(10):
        real = real_chords(step)
        fake = composer(torch.randn(4, 2))
        opt_c.zero_grad()
        gap = critic(fake.detach()).mean() - critic(real).mean()
        (gap + 10 * penalty(critic, real, fake.detach())).backward()
        torch.nn.utils.clip_grad_norm_(critic.parameters(), 1.0)
        opt_c.step()
        scores.append(gap.item())
        if (step + 1) % n_critic == 0:
            opt_g.zero_grad()
            tension = -critic(composer(torch.randn(4, 2))).mean()
            tension.backward()
            torch.nn.utils.clip_grad_norm_(composer.parameters(), 0.5)
            opt_g.step()
            tensions += tension.item()
    print(f"{sum(scores):.4f} {tensions:.4f}")
    return composer, critic
""",
    ("missing-zero-grad",),
)

C_CLEAR = "        opt_c.zero_grad()\n"
G_CLEAR = "            opt_g.zero_grad()\n"
C_GAP = "        gap = critic(fake.detach()).mean() - critic(real).mean()\n"
C_CLIP = "        torch.nn.utils.clip_grad_norm_(critic.parameters(), 1.0)\n"
G_CLIP = "            torch.nn.utils.clip_grad_norm_(composer.parameters(), 0.5)\n"


def chords() -> Iterator[Case]:
    yield CHORDS.right("as-it-is")
    yield CHORDS.right("cleared-behind-the-gap", (C_CLEAR + C_GAP, C_GAP + C_CLEAR))
    yield CHORDS.wrong(
        "critic-asks-again-for-what-the-composer-left",
        ((C_CLEAR, ""), ("        scores.append", "        critic.zero_grad()\n        scores.append")),
        tempts=("missing-zero-grad",),
    )
    yield CHORDS.wrong("critic-never-cleared", ((C_CLEAR, ""),), tempts=("missing-zero-grad",))
    yield CHORDS.wrong("composer-never-cleared", ((G_CLEAR, ""),), tempts=("missing-zero-grad",))
    yield CHORDS.wrong(
        "composer-cleared-behind-its-backward",
        ((G_CLEAR, ""), ("            tension.backward()\n", "            tension.backward()\n" + G_CLEAR)),
        tempts=("zero-grad-before-step",),
    )
    yield CHORDS.wrong(
        "both-clips-come-late",
        ((C_CLIP + "        opt_c.step()\n", "        opt_c.step()\n" + C_CLIP),),
        ((G_CLIP + "            opt_g.step()\n", "            opt_g.step()\n" + G_CLIP),),
        tempts=("clip-after-step",),
    )
    yield CHORDS.wrong(
        "scores-keep-their-graphs",
        (("append(gap.item())", "append(gap)"),),
        (("tension.item()", "tension"),),
        tempts=("loss-graph-leak",),
    )


TUTOR = Draft(
    "interpreter-and-tutor",
    """\
import contextlib
import copy

import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)


@contextlib.contextmanager
def listening(net):
    before = net.training
    net.eval()
    try:
        with torch.no_grad():
            yield net
    finally:
        net.train(before)


def phrases(lesson):
    rng = torch.Generator().manual_seed(100 + lesson)
    return [(torch.randn(4, 6, generator=rng), torch.randint(0, 3, (4,), generator=rng)) for _ in range(6)]


def lessons(student, tutor, optimizer, warmth=2.0):
    for lesson in range(3):
        for words, meaning in phrases(lesson):
            optimizer.zero_grad()
            with torch.no_grad():
                soft = F.softmax(tutor(words) / warmth, -1)
            said = student(words)
            hint = F.kl_div(F.log_softmax(said / warmth, -1), soft, reduction="batchmean")
            loss = 0.5 * F.cross_entropy(said, meaning) + 0.5 * warmth**2 * hint
            loss.backward()
            optimizer.step()
        with listening(student):
            right = [(student(words).argmax(-1) == meaning).sum().item() for words, meaning in phrases(50)]
        yield lesson, sum(right)


def main():
    torch.manual_seed(2)
    tutor = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Dropout(0.5), nn.Linear(12, 3)).eval()
    student = copy.deepcopy(tutor).train()
    student[0].reset_parameters()
    optimizer = torch.optim.AdamW(student.parameters(), lr=0.02)
    for lesson, right in lessons(student, tutor, optimizer):
        print(f"lesson {lesson}: {right} of 24")
    return student, tutor
""",
    ("missing-train-mode", "validation-without-no-grad"),
)

R_LISTEN = "        with listening(student):\n            right = ["
R_NAP = (R_LISTEN, "        student.eval()\n        with torch.no_grad():\n            right = [")
R_GRAPHS = (R_LISTEN, "        student.eval()\n        if True:\n            right = [")
R_WAKE = ("        yield lesson", "        student.train()\n        yield lesson")


def tutor() -> Iterator[Case]:
    yield TUTOR.right("as-it-is")
    yield TUTOR.right(
        "student-without-its-dropout", ("student = copy.deepcopy(tutor).train()", "student = copy.deepcopy(tutor)")
    )
    yield TUTOR.right(
        "tutor-listens-with-gradients-off-and-weights-held",
        ("            with torch.no_grad():\n                soft", "            soft"),
        (
            "    student = copy",
            "    for weight in tutor.parameters():\n        weight.requires_grad_(False)\n    student = copy",
        ),
        (
            "    student[0].reset",
            "    for weight in student.parameters():\n        weight.requires_grad_()\n    student[0].reset",
        ),
    )
    yield TUTOR.wrong("sleeps-after-the-first-lesson", (R_NAP,))
    yield TUTOR.wrong("sleeps-and-graphs", (R_GRAPHS,), fine=((R_NAP,), (R_GRAPHS, R_WAKE)))
    yield TUTOR.wrong("graphs-in-the-comprehension", (R_GRAPHS, R_WAKE), tempts=("validation-without-no-grad",))
    yield TUTOR.wrong("never-cleared", (("            optimizer.zero_grad()\n", ""),), tempts=("missing-zero-grad",))
    yield TUTOR.wrong(
        "eval-in-the-finally",
        (("        net.train(before)\n", "        net.eval()\n"),),
        tempts=("missing-train-mode",),
    )


def cases() -> Iterator[Case]:
    yield from verse()
    yield from duet()
    yield from tempo()
    yield from chords()
    yield from tutor()
