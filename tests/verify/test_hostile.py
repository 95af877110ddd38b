"""Loops that mean harm: nothing of them happens, and the command goes on."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from verify.wet import loops, said

LOOP = """\
import os, subprocess, socket, shutil, sys, pickle
import torch
from torch import nn
HEAD

def helper(x):
    HELPER
    return x

def train(loader, epochs=2):
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    n = 4
    BEFORE
    for epoch in range(epochs):
        for x, y in loader:
            INSIDE
            loss = nn.functional.mse_loss(model(helper(x)), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
"""


def hostile(*, head: str = "", helper: str = "pass", before: str = "pass", inside: str = "pass") -> str:
    return LOOP.replace("HEAD", head).replace("HELPER", helper).replace("BEFORE", before).replace("INSIDE", inside)


REFUSED = {
    "os.system": hostile(inside="os.system('touch MARK')"),
    "aliased": hostile(head="from os import system as harmless", inside="harmless('touch MARK')"),
    "module alias": hostile(head="import os as o", helper="o.popen('touch MARK')"),
    "eval": hostile(inside='eval(\'open("MARK", "w")\')'),
    "exec": hostile(helper='exec(\'open("MARK", "w")\')'),
    "import": hostile(before="__import__('os').system('touch MARK')"),
    "subprocess": hostile(inside="subprocess.run(['touch', 'MARK'])"),
    "socket": hostile(inside="socket.create_connection(('localhost', 9))"),
    "fork bomb in a helper": hostile(helper="os.fork()"),
    "builtins": hostile(inside="().__class__.__bases__[0].__subclasses__()"),
    "globals": hostile(inside="helper.__globals__['os'].system('touch MARK')"),
}
INERT = {
    "writes": hostile(inside="open('MARK', 'w').write('x')"),
    "shutil": hostile(inside="shutil.rmtree('.')"),
    "remove": hostile(inside="os.remove('KEPT')"),
    "path": hostile(head="from pathlib import Path", inside="Path('MARK').write_text('x')"),
    "torch.save": hostile(inside="torch.save(model, 'MARK')"),
    "pickle": hostile(inside="pickle.loads(b'x')"),
    "getattr": hostile(inside="getattr(os, 'sys' + 'tem')('touch MARK')"),
    "module level": hostile(head="open('MARK', 'w').write('x')"),
    "exit": hostile(inside="sys.setrecursionlimit(10**9)"),
    "decorator": hostile(head="@os.system('touch MARK')\ndef f(): pass"),
    "default": hostile(head="def f(x=os.mkdir('MARK')): pass", before="f()"),
    "class body": hostile(head="class A:\n    x = os.mkdir('MARK')", before="A()"),
    "attribute": hostile(head="os.environ['X'] = 'y'"),
}
COSTLY = {
    "tower of powers": hostile(before="n = 9**9**9"),
    "power in the loop": hostile(inside="n = 9**9**9**9"),
    "shift": hostile(before="n = 1 << 10**9"),
    "factorial by hand": hostile(before="for i in range(10**9): n = n * n"),
    "endless while": hostile(inside="while True: pass"),
    "endless helper": hostile(helper="while True: x = x"),
    "endless for": hostile(before="for i in range(10**12): n = i"),
    "endless iterator": hostile(head="import itertools", inside="for i in itertools.count(): pass"),
    "memory": hostile(before="n = [0] * 10**12"),
    "memory of text": hostile(before="n = 'a' * 10**12"),
    "memory by doubling": hostile(before="n = [0]\n    while len(n) < 10**12: n = n + n"),
    "text by doubling": hostile(before="n = 'ab'\n    for i in range(200): n = n + n"),
    "dictionary": hostile(before="n = {}\n    for i in range(10**9): n[i] = [i] * 1000"),
    "tensor": hostile(before="n = torch.zeros(10**12)"),
    "model": hostile(before="n = nn.Linear(10**6, 10**9)"),
    "many models": hostile(before="n = [nn.Linear(4, 4) for i in range(10**9)]"),
    "comprehension": hostile(before="n = [i for i in range(10**6) for j in range(10**6)]"),
    "range": hostile(before="n = list(range(10**12))"),
    "sorted": hostile(before="n = sum(range(10**13))"),
    "recursion": hostile(helper="helper(x)"),
    "mutual recursion": hostile(head="def a(x): return b(x)\ndef b(x): return a(x)", inside="a(x)"),
    "format": hostile(before="n = '%0999999999d' % 1"),
    "f-string": hostile(before="n = f'{1:0999999999d}'"),
    "chunks": hostile(inside="x.chunk(10**12)"),
    "limits": hostile(before="for i in range(10**6):\n        for j in range(10**6):\n            optimizer.step()"),
    "backward": hostile(
        before="torch.nn.functional.mse_loss(model(1), 1)\n    for i in range(10**9): model(i).mean().backward()"
    ),
    "deep": hostile(before="n = " + "(" * 80 + "1" + ")" * 80),
    "deep unary": hostile(before="n = " + "-" * 900 + "1"),
    "long sum": hostile(before="n = " + "+".join(["1"] * 5000)),
    "str to int": hostile(before="n = int('9' * 10**6)"),
    "window": hostile(
        before="accumulation_steps = 10**18", inside="if (epoch + 1) % accumulation_steps == 0: continue"
    ),
    "zip": hostile(before="n = [1 for a in zip(range(10**12), range(10**12))]"),
    "while with a walrus": hostile(before="while (n := n + 1): pass"),
    "next": hostile(before="n = next(iter(lambda: 1, 2))"),
}


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "KEPT").write_text("x", encoding="utf-8")
    return tmp_path


def untouched(folder: Path) -> bool:
    return [one.name for one in folder.iterdir()] == ["KEPT"]


@pytest.mark.parametrize("text", REFUSED.values(), ids=list(REFUSED))
def test_what_is_never_run_is_refused(text: str, inside: Path) -> None:
    (loop,) = loops(text)
    assert (loop.verdict.value, loop.reason) == ("inconclusive", "refused"), said(loop)
    assert untouched(inside)


@pytest.mark.parametrize("text", INERT.values(), ids=list(INERT))
def test_what_nobody_follows_does_nothing(text: str, inside: Path) -> None:
    (loop,) = loops(text)
    assert loop.verdict.value in ("confirmed", "inconclusive"), said(loop)
    assert untouched(inside)


@pytest.mark.parametrize("text", COSTLY.values(), ids=list(COSTLY))
def test_what_is_costly_ends(text: str, inside: Path) -> None:
    before = time.monotonic()
    found = loops(text)
    assert all(loop.verdict.value in ("confirmed", "inconclusive") for loop in found), [said(one) for one in found]
    assert time.monotonic() - before < 30
    assert untouched(inside)
