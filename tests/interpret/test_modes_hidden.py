"""Networks with a mode that is made out of sight, or by a way round: an evaluation that is not undone is told.

Each is a class `Net` with a trunk of its own; `given` is what the script hands over to it.
"""

from __future__ import annotations

from textwrap import dedent, indent

import pytest

from gradlint import check_source

SCRIPT = """
import copy
import importlib
import itertools
import pickle
import torch
from torch import nn
from torch.nn import BatchNorm1d as Norm, Dropout as D
from torch.nn.utils import spectral_norm

{above}

class Net({base}):
    def __init__(self, size{parameter}):
        super().__init__()
{init}

    def forward(self, x):
{forward}


def train(loader, held{parameter}):
    model = Net(8{argument})
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(30):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            print(sum(nn.functional.mse_loss(model(x), y) for x, y in held))
"""


def told(init: str, forward: str = "return self.last(self.turn(x))", *, above: str = "", given: str = "") -> bool:
    """Whether a network that is made so has a mode."""
    init = init if "self.last" in init else f"{init}\nself.last = nn.Linear(size, size)"
    text = SCRIPT.format(
        above=dedent(above),
        base="nn.Module",
        parameter=f", {given}" if given else "",
        argument=f", {given.partition('=')[0]}" if given else "",
        init=indent(dedent(init), " " * 8),
        forward=indent(dedent(forward), " " * 8),
    )
    return "missing-train-mode" in {one.rule for one in check_source(text)}


@pytest.mark.parametrize(
    "init",
    [
        "kinds = [nn.ReLU, nn.GELU]\nturn = kinds[size % 2]\nself.turn = turn()",
        "for kind in (nn.ReLU, nn.GELU): self.turn = kind()",
        "turn = getattr(nn, 'ReLU')\nself.turn = turn()",
        "self.turn = getattr(nn, 'ReLU')()",
        "self.turn = eval('nn.ReLU()')",
        "self.turn = globals()['nn'].ReLU()",
        "self.turn = importlib.import_module('torch.nn').ReLU()",
        "self.turn = pickle.load(open('turn.pkl', 'rb'))",
        "self.turn = Norm(size)",
        "self.turn = D(0.1)",
        "self.turn = nn.Sequential(nn.ReLU(), Norm(size))",
        "self.turn = spectral_norm(nn.Linear(size, size))",
        "self.turn = nn.Dropout(0)\nself.turn.p = 0.3",
    ],
)
def test_a_layer_is_made_by_a_way_round(init: str) -> None:
    assert told(init)


@pytest.mark.parametrize(
    ("init", "forward"),
    [
        ("own = trunk\nself.turn = own", "return self.last(self.turn(x))"),
        ("parts = []\nparts.append(trunk)\nself.turn = nn.Sequential(*parts)", "return self.last(self.turn(x))"),
        ("self.turn = nn.Sequential(*list(trunk.children())[:-1])", "return self.last(self.turn(x))"),
        ("self.turn = copies(trunk, 2)", "for one in self.turn: x = one(x)\nreturn self.last(x)"),
        ("self.turn = Around(trunk)", "return self.last(self.turn(x))"),
        ("self.add_module('turn', trunk)", "return self.last(self.turn(x))"),
        ("self.turn = trunk", "for one in self.children(): x = one(x)\nreturn x"),
        ("self.turn = [trunk]", "for one in itertools.chain(self.turn, [self.last]): x = one(x)\nreturn x"),
        ("self.turn = [trunk]", "for one in list(self.turn) + [self.last]: x = one(x)\nreturn x"),
    ],
)
@pytest.mark.parametrize("given", ["trunk", "trunk=False"])
def test_a_trunk_is_handed_over(init: str, forward: str, given: str) -> None:
    above = """
    def copies(layer, count):
        return nn.ModuleList([copy.deepcopy(layer) for _ in range(count)])

    class Around(nn.Module):
        def __init__(self, inner):
            super().__init__()
            self.inner = inner

        def forward(self, x):
            return self.inner(x)
    """
    assert told(init, forward, above=above, given=given)


@pytest.mark.parametrize(
    ("above", "init"),
    [
        ("LAYERS = [nn.Linear(8, 8), nn.GELU()]", "self.turn = nn.Sequential(*LAYERS)"),
        ("class Row(nn.Sequential):\n    pass", "self.turn = Row(nn.Linear(size, size))"),
        ("class Rnn(nn.LSTM):\n    pass", "self.turn = Rnn(size, size)"),
        ("KINDS = {}\ndef kind(cls):\n    KINDS['k'] = cls\n    return cls", "self.turn = KINDS['k'](size)"),
        (
            "class Asks(nn.Module):\n    def forward(self, x):\n        return x * 2 if self.part.training else x",
            "self.turn = Asks()",
        ),
    ],
)
def test_it_is_made_elsewhere_in_the_file(above: str, init: str) -> None:
    assert told(init, above=above)


@pytest.mark.parametrize(
    ("above", "init", "forward"),
    [
        ("WIDE = 16", "self.turn = nn.Sequential(nn.Linear(size, WIDE), nn.Linear(WIDE, size))", ""),
        ("SIZES = (8, 16, 8)", "self.turn = nn.Sequential(*[nn.Linear(8, 8) for _ in SIZES])", ""),
        ("def wide(n):\n    return 2 * n", "self.turn = nn.Linear(wide(4), size)", ""),
        ("", "self.turns = [nn.Linear(8, 8)]", "for turn in self.turns: x = turn(x)\nreturn self.last(x)"),
        ("", "self.turn = nn.Linear(size, size)", "act = lambda y: y * 2\nreturn act(self.last(self.turn(x)))"),
        ("", "act = nn.GELU()\nself.turn = nn.Sequential(nn.Linear(size, size), act)", ""),
        ("", "self.turn = nn.Identity() if size > 8 else nn.Linear(size, size)", ""),
    ],
)
def test_all_of_it_is_in_sight(above: str, init: str, forward: str) -> None:
    assert not told(init, forward or "return self.last(self.turn(x))", above=above)
