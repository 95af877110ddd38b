"""What several files mention does not depend on the order in which they were read."""

from __future__ import annotations

from itertools import permutations

import pytest

from gradlint.model.mentions import Mentions, together


class Old(Mentions):
    """A file that says how old it is."""

    def __init__(self, dated: str) -> None:
        self._dated = dated

    @property
    def since(self) -> bool:
        return False

    @property
    def dated(self) -> str:
        return self._dated


@pytest.mark.parametrize("said", [("volatile=", "loss.data[0]", ""), ("", "err.data[0]", "loss.data[0]"), ("", "", "")])
def test_how_old_files_are_is_no_question_of_order(said: tuple[str, ...]) -> None:
    found = {together([Old(one) for one in order]).dated for order in permutations(said)}
    assert len(found) == 1
    assert found == {"volatile="} or "volatile=" not in said
