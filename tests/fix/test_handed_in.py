"""Repairs beside a call of a helper, in the words of its caller: before and after in one text, as in a diff."""

from __future__ import annotations

import pytest

from fix.test_adversarial import sides
from gradlint.check.engine import fix_text
from gradlint.model.settings import Settings

HEAD = """\
import torch
from torch import nn
from torch.nn.functional import mse_loss


class Solver:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)

    def step(self, x, y):
        self.opt.zero_grad()
        mse_loss(self.net(x), y).backward()
        self.opt.step()

    def check(self, held):
        self.net.eval()
        with torch.no_grad():
            return sum(mse_loss(self.net(x), y).item() for x, y in held)


"""
NET = "nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 1))"

WOKEN = {
    "of an object's method": f"""\
 def train(shown, held):
     solver = Solver({NET})
     for epoch in range(9):
+        solver.net.train()
         for x, y in shown:
             solver.step(x, y)
         solver.check(held)
""",
    "of an object in an attribute": f"""\
 class Run:
     def __init__(self):
         self.solver = Solver({NET})

     def all(self, shown, held):
         for epoch in range(9):
+            self.solver.net.train()
             for x, y in shown:
                 self.solver.step(x, y)
             self.solver.check(held)
""",
    "of a function under another name": f"""\
 def judge(what, held):
     what.eval()
     return sum(mse_loss(what(x), y).item() for x, y in held)

 def train(shown, held):
     solver = Solver({NET})
     for epoch in range(9):
+        solver.net.train()
         for x, y in shown:
             solver.step(x, y)
         with torch.no_grad():
             judge(solver.net, held=held)
""",
    "of an object of which a part had slept before": f"""\
 def train(shown, held):
     solver = Solver({NET})
     solver.net[1].eval()
     solver.net.train()
     for epoch in range(9):
+        solver.net.train()
         for x, y in shown:
             solver.step(x, y)
         solver.check(held)
""",
}


@pytest.mark.parametrize("both", WOKEN.values(), ids=list(WOKEN))
def test_a_network_is_woken_by_the_name_that_the_caller_has(both: str) -> None:
    before, after = sides(both)
    assert fix_text(HEAD + before, "train.py", Settings()).text == HEAD + after


LEFT = {
    "a name that the helper sets itself": f"""\
def judge(what, held):
    what = what.eval()
    return sum(mse_loss(what(x), y).item() for x, y in held)

def train(shown, held):
    solver = Solver({NET})
    for epoch in range(9):
        for x, y in shown:
            solver.step(x, y)
        with torch.no_grad():
            judge(solver.net, held)
""",
    "what is made where it is handed in": f"""\
import copy

def train(shown, held):
    solver = Solver({NET})
    for epoch in range(9):
        for x, y in shown:
            solver.step(x, y)
        Solver(copy.deepcopy(solver.net)).check(held)
""",
    "another network for the time of the check": f"""\
import copy

def train(shown, held):
    solver = Solver({NET})
    for epoch in range(9):
        for x, y in shown:
            solver.step(x, y)
        kept, solver.net = solver.net, copy.deepcopy(solver.net)
        solver.check(held)
        solver.net = kept
""",
    "a helper that a decorator gives something else": f"""\
def on_a_copy(judges):
    import copy
    return lambda what, held: judges(copy.deepcopy(what), held)

@on_a_copy
def judge(what, held):
    what.eval()
    return sum(mse_loss(what(x), y).item() for x, y in held)

def train(shown, held):
    solver = Solver({NET})
    for epoch in range(9):
        for x, y in shown:
            solver.step(x, y)
        judge(solver.net, held)
""",
    "one of two methods of that name": f"""\
class Other:
    def check(self, held):
        return 0.0

def train(shown, held, other):
    solver = Solver({NET})
    judges = Other() if other else solver
    for epoch in range(9):
        for x, y in shown:
            solver.step(x, y)
        judges.check(held)
""",
}


@pytest.mark.parametrize("text", LEFT.values(), ids=list(LEFT))
def test_what_the_caller_may_know_by_another_name_is_left_alone(text: str) -> None:
    assert fix_text(HEAD + text, "train.py", Settings()).text == HEAD + text
