"""What a class inherits from a library's: of some methods it is known that they leave gradients alone."""

from __future__ import annotations

import pytest

from gradlint import check_source
from gradlint.libraries.inherited import INHERITED
from gradlint.model.finding import Confidence

LOOP = """\
import torch
from transformers import Trainer


class Tuned(Trainer):
    def train(self):
        self.model.train()
        for i, batch in enumerate(self.loader):
            loss = self.model(**batch).loss
            loss.backward()
            {call}
            self.optimizer.step()
"""
FOUND = {"missing-zero-grad"}
ZERO = "if self.is_world_process_zero(): print(i)"


def is_sure(source: str) -> bool:
    return {one.rule for one in check_source(source) if one.confidence is Confidence.HIGH} == FOUND


@pytest.mark.parametrize("name", sorted(INHERITED))
def test_what_only_asks_counts_or_logs_is_no_doubt(name: str) -> None:
    assert is_sure(LOOP.format(call=f"self.{name}(batch)"))


@pytest.mark.parametrize("name", ["training_step", "_inner_training_loop", "anything"])
def test_what_may_train_is_one(name: str) -> None:
    assert not is_sure(LOOP.format(call=f"self.{name}(batch)"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("from transformers import Trainer", "from engine import Trainer"),
        ("from transformers import Trainer", "from engine import Helper\nfrom transformers import Trainer"),
    ],
)
def test_the_same_name_of_another_base_is_one(old: str, new: str) -> None:
    loop = LOOP.format(call=ZERO).replace(old, new)
    assert not is_sure(loop.replace("Tuned(Trainer)", "Tuned(Helper, Trainer)") if "Helper" in new else loop)


def test_through_a_class_of_the_file_it_is_inherited_too() -> None:
    between = "class Base(Trainer):\n    pass\n\n\nclass Tuned(Base)"
    assert is_sure(LOOP.format(call=ZERO).replace("class Tuned(Trainer)", between))


def test_a_method_of_its_own_under_that_name_is_what_it_does() -> None:
    clears = "self.optimizer.step()\n        self.optimizer.zero_grad()"
    loop = LOOP.format(call="self.store_flos()")
    own = f"    def store_flos(self):\n        {clears}\n\n    def train(self):"
    assert not is_sure(loop.replace("    def train(self):", own))
