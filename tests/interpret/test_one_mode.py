"""Networks for which `eval()` changes nothing, told by the calls that made them."""

from __future__ import annotations

import pytest

from gradlint.interpret.layers import LAYER, has_one_mode
from gradlint.interpret.values import Unknown

torch = pytest.importorskip("torch")


def made(text: str) -> Unknown:
    value = Unknown(text)
    value.form = LAYER
    return value


@pytest.mark.parametrize(
    "text",
    [
        "nn.Linear(8, 4)",
        "nn.Sequential(nn.Linear(8, 4), nn.Tanh(), nn.Linear(4, 1))",
        "torch.nn.Sequential(nn.Conv2d(3, 8, (3, 3)), nn.Sequential(nn.Flatten(), nn.LayerNorm((8, 30))))",
        "nn.Linear(len('abcd'), int(2.5))",
    ],
)
def test_layers_without_a_mode(text: str) -> None:
    assert has_one_mode(made(text))
    network = eval(text, {"nn": torch.nn, "torch": torch})  # torch itself is asked: no layer of it looks at the mode
    plain = [type(part).forward.__code__.co_names for part in network.modules()]
    assert not any("training" in names for names in plain)


@pytest.mark.parametrize(
    "text",
    [
        "nn.Dropout(0.5)",
        "nn.Sequential(nn.Linear(8, 4), nn.Dropout(0.5))",
        "nn.Sequential(nn.Linear(8, 4), nn.Sequential(nn.BatchNorm1d(4)))",
        "nn.Sequential(*layers)",
        "nn.Sequential(nn.Linear(8, 4), head)",
        "nn.Sequential(nn.Linear(8, 4), head())",
        "nn.Sequential(nn.Linear(8, 4",
        "nn.Sequential()",
        "nn.Linear",
    ],
)
def test_layers_of_which_nobody_can_say_it(text: str) -> None:
    assert not has_one_mode(made(text))


def test_what_was_not_made_of_torchs_layers_is_unknown() -> None:
    assert not has_one_mode(Unknown("nn.Linear(8, 4)"))
