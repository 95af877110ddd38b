"""What is detached is a tensor, or is asked whether it is one."""

from __future__ import annotations

import ast

import pytest

from gradlint import fix_source
from gradlint.fix.plain import detached_plain

BODIES = {
    "a constant on one way": ("aux = 0\nif c:\n    aux = g()\nt += aux.detach()", ["aux"]),
    "handed to a call": ("aux = 0\nif c:\n    aux = g()\nt += g(aux).detach()", ["aux"]),
    "gone back from": ("aux = 0\nif c:\n    aux = g()\naux.backward()\nt += aux.detach()", []),
    "gone back from, scaled": ("aux = 0\naux += g()\nsc.scale(aux).backward()\nt += aux.detach()", []),
    "the items of a dictionary": ("for k, v in d.items():\n    t[k] += v.detach()", ["v"]),
    "its values": ("for v in d.values():\n    t += v.detach()", ["v"]),
    "items by their keys": ("for k in d:\n    t[k] += d[k].detach()", ["d[k]"]),
    "an item by a key that is written down": ("for d in ds:\n    t += d['loss'].detach()", []),
    "two collections": ("for a, v in zip(ds, d):\n    t += v.detach()", ["v"]),
    "what it runs over goes back": ("for v in d:\n    v.backward()\n    t += v.detach()", []),
    "through another name": ("for k, v in d.items():\n    w = v\n    t += w.detach()", ["w"]),
    "computed from it": ("for v in d:\n    t += (v * n).detach()", ["v"]),
    "a call of it": ("for v in d:\n    t += g(v).detach()", []),
    "an attribute of it": ("for v in d:\n    t += v.loss.detach()", []),
    "names in a row": ("a, b = g(), g()\nfor v in (a, b):\n    t += v.detach()", []),
    "names in a row, one of them a number": ("a, b = g(), 0.5\nfor v in (a, b):\n    t += v.detach()", ["v"]),
    "a list that is filled": ("q = []\nq.append(g())\nfor v in q:\n    t += v.detach()", []),
    "a list that is filled with numbers, too": ("q = [g()]\nq.append(1)\nfor v in q:\n    t += v.detach()", ["v"]),
    "a list that somebody else fills": ("q = []\nfill(q)\nfor v in q:\n    t += v.detach()", ["v"]),
    "a list of calls": ("for v in [g(x) for x in d]:\n    t += v.detach()", []),
    "inside a comprehension": ("t.append([v.detach() for v in d])", ["v"]),
    "a default": ("t += d.get('aux', 0.0).detach()", ["d.get('aux', 0.0)"]),
    "a default under a name": ("aux = d.get('aux', 0.0)\nt += aux.detach()", ["aux"]),
    "what a function returns": ("aux = maybe(c)\nt += aux.detach()", ["aux"]),
    "unpacked from what a function returns": ("v, n = both(c)\nt += v.detach()\nt += n.detach()", ["v", "n"]),
    "unpacked, the tensor of the two": ("v, n = first(c)\nt += v.detach()", []),
    "asked": ("for v in d:\n    t += v.detach() if isinstance(v, torch.Tensor) else v", []),
    "something else is asked": ("for v in d:\n    t += v.detach() if isinstance(d, torch.Tensor) else v", ["v"]),
}
"""Bodies of a function, and what is detached there and may be a plain number."""

HELPERS = """
def maybe(c):
    if c:
        return 0.0
    return g()
def both(c):
    return (g(), 1) if c is None else (0.0, 1)
def first(c):
    return g(), 1
"""


@pytest.mark.parametrize("name", BODIES)
def test_what_may_be_a_plain_number(name: str) -> None:
    body, found = BODIES[name]
    rows = "".join(f"    {line}\n" for line in body.splitlines())
    text = f"def run(c, d, ds, g, n, sc, t, fill):\n{rows}{HELPERS}"
    assert list(detached_plain(ast.parse(text), range(1, text.count("\n")))) == found


LOOP = """
import torch
from collections import defaultdict


def terms_of(net, x, opt):
    return {"fit": net(x).pow(2).mean(), "size": 0.1 * net(x).mean(), "rate": opt.param_groups[0]["lr"], "n": len(x)}


def run(net, opt, loader):
    book, total, trace = defaultdict(float), 0.0, []
    for x in loader:
        terms = terms_of(net, x, opt)
        loss = terms["fit"] + terms["size"]
        opt.zero_grad()
        loss.backward()
        opt.step()
        KEPT
    return book, total, trace
"""

ASKED = "{0}.detach() if isinstance({0}, torch.Tensor) else {0}"

KEPT = {
    "for k, v in terms.items(): book[k] += v": f"book[k] += {ASKED.format('v')}",
    "for k, v in terms.items(): book[k] = book[k] + v": f"book[k] = book[k] + ({ASKED.format('v')})",
    "for v in terms.values(): trace.append(v)": f"trace.append({ASKED.format('v')})",
    "for k in terms: book[k] += terms[k]": f"book[k] += {ASKED.format('terms[k]')}",
    "for k, v in terms.items(): book[k] += v * len(x)": f"book[k] += ({ASKED.format('v')}) * len(x)",
    "total += terms['fit']": "total += terms['fit'].detach()",
    "total += loss": "total += loss.detach()",
}
"""What is kept in the loop, and how a safe repair has it."""


@pytest.mark.parametrize("kept", KEPT)
def test_what_may_be_a_plain_number_is_asked(kept: str) -> None:
    head, colon, body = kept.partition(": ")
    lines = f"{head}:\n            {body}" if colon else kept
    text = LOOP.replace("KEPT", lines)
    done = fix_source(text, "train.py")
    assert done.text == text.replace(body or kept, KEPT[kept])


def test_who_has_no_name_for_torch_cannot_ask() -> None:
    text = LOOP.replace("import torch\n", "").replace("KEPT", "for k, v in terms.items():\n            book[k] += v")
    assert fix_source(text, "train.py").text == text
