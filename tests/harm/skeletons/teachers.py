"""Networks that are not trained, or in eval() on purpose, beside the one that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

DISTILL = Draft(
    "distillation",
    """\
import torch
import torch.nn.functional as F
from torch import nn


def network(width):
    return nn.Sequential(nn.Linear(6, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Dropout(0.2), nn.Linear(width, 3))


def kd_loss(student_logits, teacher_logits, labels, alpha=0.7, temperature=3.0):
    soft = F.kl_div(
        F.log_softmax(student_logits / temperature, dim=1),
        F.softmax(teacher_logits / temperature, dim=1),
        reduction="batchmean",
    )
    return alpha * temperature**2 * soft + (1 - alpha) * F.cross_entropy(student_logits, labels)


@torch.no_grad()
def accuracy(model, batches):
    model.eval()
    right = sum((model(x).argmax(dim=1) == y).sum().item() for x, y in batches)
    return right / sum(len(y) for _, y in batches)


def train(student, teacher, batches, held_out, epochs):
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1, momentum=0.9)
    teacher.eval()
    for epoch in range(epochs):
        student.train()
        for x, y in batches:
            with torch.no_grad():
                teacher_logits = teacher(x)
            loss = kd_loss(student(x), teacher_logits, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, f"{accuracy(student, held_out):.3f}")


def main():
    teacher, student = network(16), network(6)
    batches = [(torch.randn(6, 6), torch.randint(0, 3, (6,))) for _ in range(7)]
    train(student, teacher, batches[:5], batches[5:], epochs=2)
    return student, teacher
""",
    ("missing-train-mode", "validation-without-no-grad"),
)

SOFT = "            with torch.no_grad():\n                teacher_logits = teacher(x)\n"


def distill() -> Iterator[Case]:
    yield DISTILL.right("teacher-in-eval")
    yield DISTILL.wrong(
        "student-left-in-eval",
        (("        student.train()\n", ""), ("    teacher.eval()\n", "    teacher.eval()\n    student.train()\n")),
    )
    yield DISTILL.right(
        "teacher-in-train-on-purpose",
        ("    teacher.eval()\n", "    teacher.train()  # its batch norm follows the student's data\n"),
    )
    yield DISTILL.right(
        "teacher-set-in-the-loop",
        ("    teacher.eval()\n", ""),
        ("        student.train()\n", "        student.train()\n        teacher.eval()\n"),
    )
    yield DISTILL.left(
        "teacher-keeps-a-graph",
        ((SOFT, "            teacher_logits = teacher(x)\n"),),
        tempts=("validation-without-no-grad",),
    )
    yield DISTILL.right(
        "teacher-detached",
        (SOFT, "            teacher_logits = teacher(x).detach()\n"),
        tempts=("validation-without-no-grad",),
    )
    yield DISTILL.right(
        "warm-start-from-the-teacher-in-eval",
        (
            "        student.train()\n",
            """\
        # the student learns in eval(): its batch norm statistics stay those it was made with
        student.eval()
""",
        ),
    )


MOMENTUM = Draft(
    "momentum-encoder",
    """\
import copy

import torch
from torch import nn


class MoCo(nn.Module):
    def __init__(self, dim=4, length=16, m=0.9, temperature=0.2):
        super().__init__()
        self.encoder_q = nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, dim))
        self.encoder_k = copy.deepcopy(self.encoder_q)
        for p in self.encoder_k.parameters():
            p.requires_grad = False
        self.m, self.temperature = m, temperature
        self.register_buffer("queue", nn.functional.normalize(torch.randn(dim, length), dim=0))
        self.head = 0

    @torch.no_grad()
    def _momentum_update(self):
        for q, k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            k.data = k.data * self.m + q.data * (1 - self.m)

    @torch.no_grad()
    def _enqueue(self, keys):
        n = keys.shape[0]
        self.queue[:, self.head : self.head + n] = keys.T
        self.head = (self.head + n) % self.queue.shape[1]

    def forward(self, view_q, view_k):
        q = nn.functional.normalize(self.encoder_q(view_q), dim=1)
        with torch.no_grad():
            self._momentum_update()
            k = nn.functional.normalize(self.encoder_k(view_k), dim=1)
        positive = (q * k).sum(dim=1, keepdim=True)
        negative = q @ self.queue.clone()
        logits = torch.cat([positive, negative], dim=1) / self.temperature
        self._enqueue(k)
        return logits, torch.zeros(len(logits), dtype=torch.long)


def main():
    model = MoCo()
    optimizer = torch.optim.SGD(model.encoder_q.parameters(), lr=0.1, weight_decay=1e-4)
    criterion = nn.CrossEntropyLoss()
    views = torch.randn(8, 4, 6)
    model.train()
    for epoch in range(2):
        for x in views:
            logits, target = model(x + 0.05, x - 0.05)
            loss = criterion(logits, target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, f"{loss.item():.4f}")
    return model
""",
    ("missing-train-mode", "missing-zero-grad"),
)

TRAIN = "    model.train()\n    for epoch in range(2):\n"


def momentum() -> Iterator[Case]:
    yield MOMENTUM.right("both-in-train")
    yield MOMENTUM.right(
        "key-encoder-in-eval", (TRAIN, "    model.train()\n    model.encoder_k.eval()\n    for epoch in range(2):\n")
    )
    yield MOMENTUM.right(
        "all-in-eval",
        (TRAIN, "    model.eval()  # batch norm would tell the pairs apart\n    for epoch in range(2):\n"),
    )
    yield MOMENTUM.right(
        "train-overridden",
        (
            "    @torch.no_grad()\n    def _momentum_update(self):\n",
            """\
    def train(self, mode=True):
        super().train(mode)
        self.encoder_k.eval()
        return self

    @torch.no_grad()
    def _momentum_update(self):
""",
        ),
    )
    yield MOMENTUM.wrong("never-cleared", (("            optimizer.zero_grad()\n", ""),), tempts=("missing-zero-grad",))
    yield MOMENTUM.wrong(
        "probe-leaves-eval-behind",
        (
            (TRAIN, "    for epoch in range(2):\n"),
            (
                '        print(epoch, f"{loss.item():.4f}")\n',
                """\
        model.encoder_q.eval()
        with torch.no_grad():
            spread = model.encoder_q(views[0]).std().item()
        print(epoch, f"{loss.item():.4f} {spread:.4f}")
""",
            ),
        ),
        fine=(
            (
                (TRAIN, "    for epoch in range(2):\n        model.train()\n"),
                (
                    '        print(epoch, f"{loss.item():.4f}")\n',
                    """\
        model.encoder_q.eval()
        with torch.no_grad():
            spread = model.encoder_q(views[0]).std().item()
        print(epoch, f"{loss.item():.4f} {spread:.4f}")
""",
                ),
            ),
        ),
        tempts=("missing-train-mode",),
    )


TRUNK = Draft(
    "trunk-in-eval",
    """\
import torch
from torch import nn


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(5, 8), nn.BatchNorm1d(8), nn.ReLU())

    def forward(self, x):
        return self.layers(x)


class Transfer(nn.Module):
    def __init__(self, features, classes=3):
        super().__init__()
        self.features = features
        self.head = nn.Sequential(nn.Dropout(0.3), nn.Linear(8, classes))

    def forward(self, x):
        return self.head(self.features(x))


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


def main():
    features = Features()
    for _ in range(3):
        features(torch.randn(16, 5) * 2 + 1)  # "pretrained" statistics
    model = Transfer(features)
    optimizer = torch.optim.SGD(model.head.parameters(), lr=0.2)
    x, y = torch.randn(8, 6, 5), torch.randint(0, 3, (8, 6))
    for epoch in range(2):
        model.train()
        model.features.eval()
        for inputs, labels in zip(x[:6], y[:6]):
            loss = nn.functional.cross_entropy(model(inputs), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, f"{evaluate(model, x[6:].flatten(0, 1), y[6:].flatten()):.3f}")
    return model
""",
    ("missing-train-mode",),
)

MODES = "        model.train()\n        model.features.eval()\n"


def trunk() -> Iterator[Case]:
    yield TRUNK.right("frozen-statistics")
    yield TRUNK.right("only-the-head-in-train", (MODES, "        model.eval()\n        model.head.train()\n"))
    yield TRUNK.right(
        "statistics-frozen-in-the-class",
        (MODES, "        model.train()\n"),
        (
            "    def forward(self, x):\n        return self.head(",
            """\
    def train(self, mode=True):
        super().train(mode)
        self.features.eval()
        return self

    def forward(self, x):
        return self.head(""",
        ),
    )
    yield TRUNK.wrong(
        "left-in-eval",
        ((MODES, ""), ("    x, y = torch", "    model.train()\n    model.features.eval()\n    x, y = torch")),
    )
    yield TRUNK.right("whole-of-it-in-eval", (MODES, "        model.eval()\n"))
    yield TRUNK.right(
        "features-computed-first",
        (MODES, "        model.head.train()\n        model.features.eval()\n"),
        (
            "            loss = nn.functional.cross_entropy(model(inputs), labels)\n",
            """\
            with torch.no_grad():
                found = model.features(inputs)
            loss = nn.functional.cross_entropy(model.head(found), labels)
""",
        ),
    )


PERCEPTUAL = Draft(
    "network-the-optimizer-does-not-own",
    """\
import torch
from torch import nn


class Perceptual(nn.Module):
    \"\"\"Distance between features of a network that somebody else has trained.\"\"\"

    def __init__(self):
        super().__init__()
        self.slices = nn.ModuleList(
            [nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.ReLU()), nn.Sequential(nn.Linear(6, 6), nn.ReLU())]
        )

    def forward(self, a, b):
        distance = 0.0
        for part in self.slices:
            a, b = part(a), part(b)
            distance = distance + (a - b).abs().mean()
        return distance


def main():
    denoiser = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.Tanh(), nn.Linear(8, 4))
    perceptual = Perceptual()
    perceptual.eval()
    for p in perceptual.parameters():
        p.requires_grad_(False)
    optimizer = torch.optim.Adam(denoiser.parameters(), lr=0.01)
    clean = torch.randn(8, 5, 4)
    for epoch in range(2):
        denoiser.train()
        total = 0.0
        for target in clean:
            noisy = target + 0.2
            restored = denoiser(noisy)
            loss = (restored - target).abs().mean() + 0.1 * perceptual(restored, target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        denoiser.eval()
        image = clean[0].clone().requires_grad_(True)
        sensitivity = torch.autograd.grad(denoiser(image).sum(), image)[0].abs().mean()
        print(epoch, f"{total / len(clean):.4f} {sensitivity.item():.4f}")
    return denoiser, perceptual
""",
    ("missing-train-mode", "validation-without-no-grad", "loss-graph-leak"),
)


def perceptual() -> Iterator[Case]:
    yield PERCEPTUAL.right("in-eval")
    yield PERCEPTUAL.right(
        "in-eval-again-each-epoch",
        ("    perceptual.eval()\n", ""),
        ("        denoiser.train()\n", "        denoiser.train()\n        perceptual.eval()\n"),
    )
    yield PERCEPTUAL.right(
        "not-frozen-not-owned",
        ("    for p in perceptual.parameters():\n        p.requires_grad_(False)\n", ""),
        tempts=("missing-zero-grad",),
    )
    yield PERCEPTUAL.wrong("denoiser-left-in-eval", (("        denoiser.train()\n", ""),))
    yield PERCEPTUAL.wrong(
        "total-with-its-graph",
        (("            total += loss.item()\n", "            total += loss\n"),),
        tempts=("loss-graph-leak",),
    )
    yield PERCEPTUAL.styled(
        ("    for p in perceptual.parameters():\n        p.requires_grad_(False)\n", ""),
        ("            optimizer.step()\n", "            optimizer.step()\n            perceptual.zero_grad()\n"),
    ).wrong("only-the-other-one-cleared", (("            optimizer.zero_grad()\n", ""),), tempts=("missing-zero-grad",))


def cases() -> Iterator[Case]:
    yield from distill()
    yield from momentum()
    yield from trunk()
    yield from perceptual()
