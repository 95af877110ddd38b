"""Records: one a call, and all that is derived from them."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

from gradlint.interpret.effects.table import ALL
from gradlint.libraries.own import TOLD_EFFECTS
from gradlint.libraries.tables import BUILTINS, CALLS, LIBRARIES, METHODS
from gradlint.model.effects import Action, Gate

ROOT = Path(__file__).parents[2]
RECORDS = [record for library in LIBRARIES for record in library.calls]
BY_SYNTAX = {Action.YIELD, Action.TOLD_END, Action.FOREIGN}
"""Actions of no call of a library."""


def test_a_call_has_one_record() -> None:
    names = Counter((record.of, name) for record in RECORDS for name in record.names)
    assert [name for name, number in names.items() if number > 1] == []


def test_every_name_is_in_a_table() -> None:
    held = {(None, name) for name in (*CALLS, *BUILTINS)} | {(of, name) for of in METHODS for name in METHODS[of]}
    assert {(record.of, name) for record in RECORDS for name in record.names} == held


def test_what_can_emit_an_event_has_an_operation() -> None:
    """The converse, that what emits an event has a gate, is tested call by call in `tests/lower/test_gates.py`."""
    assert [record.names for record in RECORDS if record.effect.gate and record.real is None] == []


def test_every_action_is_carried_out_and_some_call_has_it() -> None:
    assert set(ALL) == set(Action) - {Action.YIELD}
    known = {record.effect.action for record in RECORDS} | {effect.action for effect in TOLD_EFFECTS.values()}
    assert known == set(Action) - BY_SYNTAX


def test_an_action_has_options_of_one_kind() -> None:
    """The machine asks for the options of an action by their kind."""
    kinds: dict[Action, set[type]] = {}
    for effect in (*(record.effect for record in RECORDS), *TOLD_EFFECTS.values()):
        kinds.setdefault(effect.action, set()).add(type(effect.options))
    assert {action: found for action, found in kinds.items() if len(found) > 1} == {}


def test_members_are_apart() -> None:
    """Members of equal value are one."""
    assert len(Action.__members__) == len(Action)
    assert Gate.SYNC in Action.NO_SYNC.gate


def test_the_page_is_what_the_records_say() -> None:
    ran = subprocess.run([sys.executable, "docs/libraries.py", "--check"], cwd=ROOT, check=False)
    assert ran.returncode == 0, "write it again: python docs/libraries.py"
