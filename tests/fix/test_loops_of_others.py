"""More loops that are mended, each beside a near miss: choices, groups of parameters, helpers of two networks."""

from __future__ import annotations

import pytest

from fix.test_loops_mended import TORCH, changed, difference

SCALES = (
    TORCH
    + """

def fit(net, loader):
    opt = torch.optim.Adam(net.parameters())
    scaler = torch.amp.GradScaler()
    for number, (x, y) in enumerate(loader):
        opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            error = F.mse_loss(net(x), y)
        (error if number % 2 else scaler.scale(error)).backward()
        scaler.step(opt)
        scaler.update()
"""
)

UNROLLED = (
    TORCH
    + """

def fit(cell, series, span):
    opt = torch.optim.RMSprop(cell.parameters())
    state, error, shown = None, 0, []
    error = 0.0
    for moment, (x, y) in enumerate(series, 1):
        out, state = cell(x, state)
        error = error + F.mse_loss(out, y)
        if moment % span == 0:
            opt.zero_grad()
            error.backward()
            opt.step()
            shown.append(error)
            state, error = state.detach(), 0.0
            error = 0.0
    return shown
"""
)

GROUPS = (
    TORCH
    + """

def fit(net, loader, rounds):
    opt = torch.optim.SGD([{"params": net.stem.parameters(), "lr": 0.1}, {"params": net.head.parameters()}], lr=0.5)
    for _ in range(rounds):
        for x, y in loader:
            opt.zero_grad()
            F.l1_loss(net(x), y).backward()
            opt.step()
            nn.utils.clip_grad_norm_(net.stem.parameters(), 0.1)
            nn.utils.clip_grad_norm_(net.head.parameters(), 1.0)
"""
)
EARLY = GROUPS.replace("            F.l1_loss(net(x), y).backward()\n            opt.step()\n", "").replace(
    "1.0)\n", "1.0)\n            F.l1_loss(net(x), y).backward()\n            opt.step()\n"
)
VALUES = (
    TORCH
    + """

def fit(net, loader):
    opt = torch.optim.SGD(net.parameters(), lr=0.5)
    for x, y in loader:
        opt.zero_grad()
        F.l1_loss(net(x), y).backward()
        nn.utils.clip_grad_value_(net.parameters(), 0.5)
        opt.step()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
"""
)
WINDOWS = (
    TORCH
    + """

def fit(net, loader, every):
    opt = torch.optim.SGD(net.parameters(), lr=0.5)
    for turn in range(4):
        opt.zero_grad()
        for number, (x, y) in enumerate(loader):
            F.l1_loss(net(x), y).div(every).backward()
            if number % every == 0:
                opt.step()
                opt.zero_grad()
"""
)
SHADOWS = (
    TORCH
    + """

def score(net, held_out):
    net.eval()
    with torch.no_grad():
        return sum(F.l1_loss(net(x), y).item() for x, y in held_out)


def fit(net, shadow, loader, held_out):
    opt = torch.optim.Adam(net.parameters())
    for _ in range(9):
        for x, y in loader:
            opt.zero_grad()
            F.l1_loss(net(x), y).backward()
            opt.step()
            with torch.no_grad():
                for mean, new in zip(shadow.parameters(), net.parameters()):
                    mean.lerp_(new, 0.1)
        print(score(net, held_out), score(shadow, held_out))
"""
)
PICKS = (
    TORCH
    + """

class Learner:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters())

    def pick(self, pool):
        self.net.eval()
        with torch.no_grad():
            scores = self.net(pool)
        return pool[scores.argmax()]

    def learn(self, x, y, pool):
        self.opt.zero_grad()
        other = self.pick(pool)
        loss = F.l1_loss(self.net(x), y) + self.net(other).mean()
        loss.backward()
        self.opt.step()


def run(net, loader, pool):
    learner = Learner(net)
    for x, y in loader:
        learner.learn(x, y, pool)
"""
)

PAIRED = (
    TORCH
    + """

def fit(net, lessons, every=4):
    opt = torch.optim.Adam(net.parameters())
    for number, (words, next_words) in enumerate(lessons, 1):
        F.cross_entropy(net(words), next_words).div(every).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        if number % every == 0 or number == len(lessons):
            opt.step()
            opt.zero_grad()


def run(net):
    lessons = [(row[:-1], row[1:]) for row in torch.randint(0, 50, (12, 9))]
    fit(net, lessons)
"""
)

MENDED = {
    "a loss that is scaled on one way, and another on the other": (
        changed("(error if number", "(error.square() if number", SCALES),
        [
            "-        (error.square() if number % 2 else scaler.scale(error)).backward()",
            "+        (scaler.scale(error.square()) if number % 2 else scaler.scale(error)).backward()",
        ],
    ),
    "batches that are cut from a tensor": (
        PAIRED,
        [
            "+            nn.utils.clip_grad_norm_(net.parameters(), 1.0)",
            "-        nn.utils.clip_grad_norm_(net.parameters(), 1.0)",
        ],
    ),
    "two groups that are clipped behind the step": (GROUPS, ["+            opt.step()", "-            opt.step()"]),
    "two groups that are clipped in front of the backward": (
        EARLY,
        [
            "+            F.l1_loss(net(x), y).backward()",
            "-            F.l1_loss(net(x), y).backward()",
        ],
    ),
    "a norm that is clipped behind the step, and values before it": (
        VALUES,
        [
            "+        nn.utils.clip_grad_norm_(net.parameters(), 1.0)",
            "-        nn.utils.clip_grad_norm_(net.parameters(), 1.0)",
        ],
    ),
    "a window that begins with a single one, where each epoch clears its rest": (
        WINDOWS,
        ["+            if (number + 1) % every == 0:", "-            if number % every == 0:"],
    ),
    "a model that a helper leaves in evaluation mode, as it does another": (SHADOWS, ["+        net.train()"]),
    "a model that is asked in evaluation mode in each turn": (PICKS, ["+        self.net.train()"]),
    "a sum that was gone back from when it is kept": (
        UNROLLED,
        ["+            shown.append(error.detach())", "-            shown.append(error)"],
    ),
    "a loss that is scaled on one of two ways": (
        SCALES,
        [
            "+        scaler.scale(error).backward()",
            "-        (error if number % 2 else scaler.scale(error)).backward()",
        ],
    ),
}
"""What is done to a loop."""

LEFT = {
    "one batch that is given in brackets": changed(
        "[(row[:-1], row[1:]) for row in torch.randint(0, 50, (12, 9))]",
        "[(row[:-1], row[1:]) for row in [torch.randint(0, 50, (9,))]]",
        PAIRED,
    ),
    "two groups of which the second is only measured behind the step": changed(
        "            opt.step()\n            nn.utils.clip_grad_norm_(net.stem.parameters(), 0.1)\n",
        "            nn.utils.clip_grad_norm_(net.stem.parameters(), 0.1)\n            opt.step()\n",
        changed("net.head.parameters(), 1.0)", "net.head.parameters(), float('inf'))", GROUPS),
    ),
    "a norm that is clipped before the step, and again behind it": changed(
        "clip_grad_value_(net.parameters(), 0.5)", "clip_grad_norm_(net.parameters(), 0.5)", VALUES
    ),
    "a window that begins with a single one, and a rest that leaks": WINDOWS.replace(
        "        opt.zero_grad()\n        for", "        for"
    ),
    "another model that a helper leaves in evaluation mode": changed(
        "score(net, held_out), score(shadow, held_out)", "score(shadow, held_out)", SHADOWS
    ),
    "a model that is asked in evaluation mode, and set back": changed(
        "        return pool[", "        self.net.train()\n        return pool[", PICKS
    ),
    "a sum that is kept when it was set to a number again": changed(
        "            shown.append(error)\n            state, error = state.detach(), 0.0\n            error = 0.0\n",
        "            error = 0.0 if moment > 9 else error\n"
        "            shown.append(error)\n            state, error = state.detach(), 0.0\n",
        UNROLLED,
    ),
    "a sum that is kept behind the branch that goes back": changed(
        "            shown.append(error)\n            state, error = state.detach(), 0.0\n            error = 0.0\n",
        "            state, error = state.detach(), 0.0\n            error = 0.0\n        shown.append(error)\n",
        UNROLLED,
    ),
    "a loss that was scaled before, sometimes": changed(
        "        (error if number % 2 else scaler.scale(error)).backward()\n",
        "        if number % 2 == 0:\n            error = scaler.scale(error)\n        error.backward()\n",
        SCALES,
    ),
}
"""What is let be."""


@pytest.mark.parametrize("name", MENDED)
def test_a_mistake_is_mended(name: str) -> None:
    text, lines = MENDED[name]
    assert sorted(difference(name, text)) == sorted(lines)


@pytest.mark.parametrize("name", LEFT)
def test_a_near_miss_is_left_alone(name: str) -> None:
    assert difference(name, LEFT[name]) == []
