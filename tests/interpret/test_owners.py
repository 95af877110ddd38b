"""Owners: which optimizer a backward feeds, and how sure that is."""

from __future__ import annotations

import pytest

from gradlint.account.owners import words
from gradlint.check.judge import look
from gradlint.model.roots import overlaps
from interpret.machine import books_of


def eaten(source: str) -> dict[str, set[int]]:
    """Rows of the backwards that each optimizer consumed."""
    return {
        book.optimizer: {item.event.span.row for update in book.updates for item in update.consumed}
        for book in books_of(source)
    }


def row(source: str, piece: str) -> int:
    return source[: source.index(piece)].count("\n") + 1


GAN = """
{imports}
def train({parameters}):
    {made}
    for epoch in range(2):
        for batch in loader:
            opt_d.zero_grad()
            fake = netG(batch)
            real = criterion(netD(batch), batch)
            {name_d} = real + criterion(netD(fake.detach()), batch)
            {name_d}.backward()
            opt_d.step()
            opt_g.zero_grad()
            {name_g} = criterion(netD(fake), batch)
            {name_g}.backward()
            opt_g.step()
"""


@pytest.mark.parametrize(("name_d", "name_g"), [("loss_d", "loss_g"), ("a", "b"), ("errD", "errG")])
@pytest.mark.parametrize("made", [True, False])
def test_gan(name_d: str, name_g: str, made: bool) -> None:
    source = GAN.format(
        imports="import torch" if made else "",
        parameters="netG, netD, criterion, loader" + ("" if made else ", opt_g, opt_d"),
        made="opt_g = torch.optim.SGD(netG.parameters()); opt_d = torch.optim.SGD(netD.parameters())"
        if made
        else "pass",
        name_d=name_d,
        name_g=name_g,
    )
    assert eaten(source) == {
        "opt_d": {row(source, f"{name_d}.backward")},
        "opt_g": {row(source, f"{name_g}.backward")},
    }


def test_two_backwards_of_the_discriminator() -> None:
    source = """
def train(generator, discriminator, optimizer_G, optimizer_D, loader):
    for batch in loader:
        optimizer_D.zero_grad()
        discriminator(batch).backward()
        discriminator(generator(batch).detach()).backward()
        optimizer_D.step()
        optimizer_G.zero_grad()
        discriminator(generator(batch)).backward()
        optimizer_G.step()
"""
    assert eaten(source) == {"optimizer_D": {5, 6}, "optimizer_G": {9}}


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("B", "C"),
        ("gen", "disc"),
        ("A", "B"),
    ],
)
def test_both_steps_after_both_backwards(one: str, two: str) -> None:
    source = f"""
def train(first, second, optimizer_{one}, optimizer_{two}, loader):
    for batch in loader:
        optimizer_{one}.zero_grad()
        optimizer_{two}.zero_grad()
        loss_{one} = first(batch)
        loss_{two} = second(batch)
        loss_{one}.backward()
        loss_{two}.backward()
        optimizer_{one}.step()
        optimizer_{two}.step()
"""
    assert eaten(source) == {f"optimizer_{one}": {8}, f"optimizer_{two}": {9}}


def test_constructors_decide_where_names_do_not() -> None:
    source = """
import torch
def train(one, two, loader):
    x = torch.optim.SGD(one.parameters(), lr=0.1)
    y = torch.optim.SGD(two.parameters(), lr=0.1)
    for epoch in range(2):
        for batch in loader:
            x.zero_grad()
            y.zero_grad()
            two(batch).backward()
            one(batch).backward()
            x.step()
            y.step()
"""
    assert eaten(source) == {"x": {11}, "y": {10}}


def test_one_backward_feeds_both() -> None:
    source = """
import torch
def train(encoder, decoder, loader):
    x = torch.optim.SGD(encoder.parameters(), lr=0.1)
    y = torch.optim.SGD(decoder.parameters(), lr=0.1)
    for batch in loader:
        x.zero_grad()
        y.zero_grad()
        decoder(encoder(batch)).backward()
        x.step()
        y.step()
"""
    assert eaten(source) == {"x": {9}, "y": {9}}


def test_backward_of_a_third_model_feeds_nobody() -> None:
    source = """
import torch
def train(model, net, loader):
    x = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        x.zero_grad()
        net(batch).backward()
        model(batch).backward()
        x.step()
"""
    assert eaten(source) == {"x": {8}}


def test_zero_of_one_optimizer_leaves_the_other() -> None:
    source = """
def train(encoder, decoder, opt_e, opt_d, loader):
    for batch in loader:
        opt_e.zero_grad()
        decoder(encoder(batch)).backward()
        opt_e.step()
        opt_d.step()
"""
    books = {book.optimizer: book for book in books_of(source)}
    assert not any(update.stale for update in books["opt_e"].updates)
    assert books["opt_d"].updates[1].stale


def test_zero_of_a_model_clears_its_optimizer() -> None:
    source = """
import torch
def train(one, two, loader):
    x = torch.optim.SGD(one.parameters(), lr=0.1)
    y = torch.optim.SGD(two.parameters(), lr=0.1)
    for epoch in range(2):
        for batch in loader:
            one.zero_grad()
            one(batch).backward()
            x.step()
            two(batch).backward()
            y.step()
"""
    books = {book.optimizer: book for book in books_of(source)}
    assert not any(update.stale for update in books["x"].updates)
    assert books["y"].updates[1].stale


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ({"a"}, {"a"}, True),
        ({"a"}, {"b"}, False),
        ({"a.head"}, {"a"}, True),
        ({"a"}, {"a.head"}, True),
        ({"ab"}, {"a"}, False),
        ({"a", "b"}, {"b"}, True),
        (None, {"a"}, None),
        ({"a"}, None, None),
        (set(), {"a"}, None),
    ],
)
def test_overlaps(one: set[str] | None, two: set[str] | None, expected: bool | None) -> None:
    def frozen(names: set[str] | None) -> frozenset[str] | None:
        return None if names is None else frozenset(names)

    assert overlaps(frozen(one), frozen(two)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("self.optimizer_D", {"d"}), ("optimizerD", {"d"}), ("loss_disc", {"disc"}), ("loss", set()),
     ("errD_real", {"d", "real"}), ("self.opt", set())],
)  # fmt: skip
def test_telling_words(text: str, expected: set[str]) -> None:
    assert words(text) == expected


AGENT = """
import torch
from torch import nn

class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(3, 3)
        self.heads = nn.ModuleDict({{"value": nn.Linear(3, 1)}})
        self.actor = nn.Linear(3, 2)

    def act(self, x):
        return self.actor(self.trunk(x))

agent{first}
optimizer = torch.optim.Adam(agent.parameters())
for epoch in range(2):
    for batch in loader:
        optimizer.zero_grad()
        agent.act(batch).mean().backward()
        optimizer.step()
"""


@pytest.mark.parametrize("first", [" = Agent()", " = Agent().to(device)", ", target = Agent(), Agent()"])
def test_parts_of_a_model_feed_its_optimizer(first: str) -> None:
    source = AGENT.format(first=first)
    assert eaten(source) == {"optimizer": {row(source, "agent.act(batch)")}}


def test_an_optimizer_that_is_made_anew_has_a_life_of_its_own() -> None:
    source = """
import torch

def train(model, loader, n):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        for i, batch in enumerate(loader):
            loss = model(batch).mean() / n
            loss.backward()
            if (i + 1) % n == 0:
                optimizer.step()
                optimizer.zero_grad()

def main(model, sites, n):
    for site in sites:
        train(model, loader_of(site), n)
"""
    first, second = books_of(source)[:2]
    assert first.optimizer != second.optimizer
    for book in (first, second):
        assert book.windows == (3,)
        assert all(len(update.wiped) == 0 for update in book.updates)
        assert all(item.sure for update in book.updates for item in update.consumed)
    steps = [[update.step.number for update in book.updates] for book in (first, second)]
    assert max(steps[0]) < min(item.event.number for update in second.updates for item in update.consumed)


PACK = """
import torch

SPECS = {{"trunk": {{"kind": "AdamW", "lr": 3e-3}}, "heads": {{"kind": "SGD", "lr": 0.1}}}}


class Pack:
    def __init__(self, net):
        self.members = {{}}
        for part, spec in SPECS.items():
            self.members[part] = getattr(torch.optim, spec["kind"])(getattr(net, part).parameters(), lr=spec["lr"])

    def step(self, scaler):
        for one in self.members.values():
            scaler.step(one)


def main(net, loader):
    pack = Pack(net)
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        net.zero_grad()
        with torch.autocast("cuda"):
            loss = net.loss(x, y)
        scaler.scale(loss).backward()
        pack.step(scaler)
        {update}
"""


@pytest.mark.parametrize(("update", "found"), [("scaler.update()", []), ("pass", ["missing-scaler-update"])])
def test_optimizers_that_are_made_at_one_place_are_several(update: str, found: list[str]) -> None:
    source = PACK.format(update=update)
    assert [one.finding.rule for one in look(source, "loop.py", lambda rule: True, count=True).judged] == found
