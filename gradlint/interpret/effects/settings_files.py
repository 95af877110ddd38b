"""Files of settings that the project has: what they say is the default, and may be something else in another run.

with open("config.yaml") as file:
    cfg = yaml.safe_load(file)        cfg["accumulate"] has the file's number as its default, cfg["hooks"] its names

with open(sys.argv[1]) as file:       whichever the project has with keys that its sources speak of: what all of
    cfg = yaml.safe_load(file)        these agree upon; a few that name other things are a scenario each
"""

from __future__ import annotations

from typing import Any

from gradlint.interpret.atoms import decide
from gradlint.interpret.effects.use import Actions, Use
from gradlint.interpret.machine import Machine
from gradlint.interpret.plan import last_name
from gradlint.interpret.results import unknown_result
from gradlint.interpret.traits import key_of
from gradlint.interpret.values import Series, Table, Unknown, Value
from gradlint.model.effects import Action
from gradlint.model.pattern import pattern
from gradlint.model.record import replace

PATH = "(path)"
"""What an open file knows of itself."""
_NAMED = pattern(r"[\"']([\w./-]+\.(?:ya?ml|json|toml))[\"']")


def _open(use: Use) -> Value:
    made = unknown_result(use.machine, use.node, "open", use.values)
    made.data = made.data.holding({PATH: use.arg(0, "file")})
    return made


def _read_settings(use: Use) -> Value:
    """What a file of the project says, where it is known which."""
    source = use.arg(0)
    held = source.data.held.get(PATH) if isinstance(source, Unknown) and source.data.held else None
    name = _path(use.machine, source if held is None else held) or _path(use.machine, use.node.text)
    data = use.machine.program.link.settings(use.machine.module, name) if name else None
    if isinstance(data, dict):
        return _said(use.machine, use.node.text, data)
    likely = {} if name else _likely(use)
    if not likely:
        return unknown_result(use.machine, use.node, use.node.text, use.values)
    if 1 < len(likely) <= _FEW and _differ(list(likely.values())):
        said = _said(use.machine, use.node.text, likely[_chosen(use, list(likely))])
        return replace(said, open=True) if isinstance(said, Table) else said
    return _agreed(use.machine, use.node.text, list(likely.values()))


def _likely(use: Use) -> dict[str, Any]:
    """What the files say that may be meant, by what reads them."""
    kinds = next((found for word, found in _KINDS.items() if word in use.node.text), _KINDS["yaml"])
    link, module = use.machine.program.link, use.machine.module
    return {name: one for kind in kinds for name, one in link.likely(module, kind).items()}


_FEW = 3
"""So many files of settings are a scenario each."""


def _chosen(use: Use, names: list[str]) -> str:
    """Which of a few files is read in this scenario."""
    asked = ((name, f"{use.node.text} reads {name}") for name in names[:-1])
    return next((name for name, key in asked if decide(use.machine, Unknown(key), True, 1)), names[-1])


def _differ(said: list[Any]) -> bool:
    """Whether files have other words somewhere: the names of a class, of a type."""
    if all(isinstance(one, dict) for one in said):
        names = [name for name in said[0] if all(name in one for one in said)]
        return any(_differ([one[name] for one in said]) for name in names)
    return all(isinstance(one, str) and one.isidentifier() for one in said) and len(set(said)) > 1


_KINDS = {"json": (".json",), "toml": (".toml",), "yaml": (".yaml", ".yml")}


def _agreed(machine: Machine, key: str, likely: list[Any]) -> Value:
    """What several files all say; of anything else nobody knows what it is, or whether it is there."""
    first, *others = likely
    if all(isinstance(one, dict) for one in likely):
        names = dict.fromkeys(name for one in likely for name in one)
        parts = ((name, [one.get(name, _NOWHERE) for one in likely]) for name in names)
        return Table({name: _agreed(machine, f"{key}[{name!r}]", found) for name, found in parts}, open=True)
    if first is not _NOWHERE and all(one == first and type(one) is type(first) for one in others):
        return _said(machine, key, first)
    return machine.unknown(key)


_NOWHERE = object()


def _path(machine: Machine, value: Value) -> str:
    """The name of a file: a text, the last one of what is joined to it, or the default of an option."""
    if isinstance(value, str) and value.endswith((".json", ".yaml", ".yml", ".toml")):
        return value
    found = _NAMED.search(value if isinstance(value, str) else key_of(value))
    if found is not None:
        return found[1]
    return machine.plan.numbers.texts.get(last_name(value.key), "") if isinstance(value, Unknown) else ""


def _said(machine: Machine, key: str, data: Any) -> Value:
    """Settings as values: names are known, of numbers the default; a switch is open, and noted as it is shipped."""
    if isinstance(data, dict):
        return Table({name: _said(machine, f"{key}[{name!r}]", one) for name, one in data.items()})
    if isinstance(data, list) and len(data) <= _MANY:
        return Series([_said(machine, f"{key}[{number}]", one) for number, one in enumerate(data)])
    if isinstance(data, str) or data is None:
        return data
    machine.plan.numbers.shipped[key] = data if isinstance(data, bool) else None
    if isinstance(data, int) and not isinstance(data, bool):
        machine.plan.numbers.defaults.setdefault(key, data)
    return machine.unknown(key)


_MANY = 64
"""A list with more in it holds data."""

SETTINGS_FILES: Actions = {Action.OPEN: _open, Action.READ_SETTINGS: _read_settings}
