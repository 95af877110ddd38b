"""A project's own words, from the configuration down to findings and repairs."""

from __future__ import annotations

import pytest

from gradlint.check.engine import check_text, fix_text
from gradlint.model.custom import NONE, Custom, current, using
from gradlint.model.settings import Settings

LOOP = """\
{imports}


def train(model, loader, loss_fn, steps=4):
    sparky = {optimizer}(model.parameters())
    for x, y in loader:
        sparky.zero_grad()
        loss = loss_fn(model(x), y)
        {backward}
        sparky.step()
        {clip}(model.parameters(), 1.0)
"""


def loop(
    imports: str, optimizer: str = "Adam", backward: str = "loss.backward()", clip: str = "clip_grad_norm_"
) -> str:
    return LOOP.format(imports=imports, optimizer=optimizer, backward=backward, clip=clip)


def rules(text: str, **names: tuple[str, ...]) -> list[str]:
    report = check_text(text, "a.py", Settings(custom=Custom(**names)))
    assert report.problems == ()
    return [one.rule for one in report.findings]


def test_without_words_the_engine_is_as_it_was() -> None:
    text = loop("from torch.optim import Adam\nfrom torch.nn.utils import clip_grad_norm_")
    assert rules(text) == ["clip-after-step"]
    assert current() is NONE


@pytest.mark.parametrize(
    ("imports", "call", "name"),
    [
        ("from my_pkg import limit", "limit", "my_pkg.limit"),
        ("import my_pkg", "my_pkg.limit", "my_pkg.limit"),
        ("import my_pkg as m", "m.limit", "my_pkg.limit"),
        ("from my_pkg import limit as cut", "cut", "my_pkg.limit"),
        ("from my_pkg.nn import limit", "limit", "limit"),
        ("from .nn import limit", "limit", "my_pkg.nn.limit"),
        ("from ..nn import limit", "limit", "limit"),
        ("", "self.limit", "limit"),
    ],
)
def test_clip_functions(imports: str, call: str, name: str) -> None:
    text = loop(f"from torch.optim import Adam\n{imports}", clip=call)
    assert rules(text) == []
    assert rules(text, clip_functions=(name,)) == ["clip-after-step"]
    assert rules(text, clip_functions=("other.limit",)) == []


def test_optimizers() -> None:
    text = """\
from my_pkg import fancy

def train(model, loader, loss_fn):
    sparky = fancy(model.parameters())
    for x, y in loader:
        loss_fn(model(x), y).backward()
        sparky.step()
"""
    assert rules(text) == []
    assert rules(text, optimizers=("my_pkg.fancy",)) == ["missing-zero-grad"]


def test_backward_functions_even_where_nothing_says_backward() -> None:
    text = loop(
        "from torch.optim import Adam\nfrom my_pkg import go\nfrom torch.nn.utils import clip_grad_norm_",
        backward="go(loss)",
    )
    assert "backward" not in text
    assert rules(text) == []
    assert rules(text, backward_functions=("my_pkg.go",)) == ["clip-after-step"]


def test_scaler_callables() -> None:
    text = """\
from torch.optim import Adam
from my_pkg import Engine

def train(model, loader, loss_fn):
    optimizer = Adam(model.parameters())
    run = Engine()
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        run(loss_fn(model(x), y), optimizer, update_grad=(i + 1) % 4 == 0)
"""
    assert rules(text) == []
    found = rules(text, scaler_callables=("my_pkg.Engine",))
    assert "zero-grad-in-accumulation" in found


def test_repairs_know_the_words_too() -> None:
    text = loop("from torch.optim import Adam\nfrom my_pkg import limit", clip="limit")
    settings = Settings(custom=Custom(clip_functions=("my_pkg.limit",)))
    assert fix_text(text, "a.py", Settings()).changed is False
    result = fix_text(text, "a.py", settings)
    assert [one.rule for one in result.applied] == ["clip-after-step"]
    assert result.text.index("limit(model") < result.text.index("sparky.step()")
    assert fix_text(text, "a.py", Settings()).changed is False


def test_words_hold_inside_only() -> None:
    custom = Custom(optimizers=("a",))
    with using(custom):
        assert current() is custom
        with using(NONE):
            assert current() is NONE
        assert current() is custom
    assert current() is NONE
