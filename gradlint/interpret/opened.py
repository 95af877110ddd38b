"""Settings of a file that something out of sight may set anew: what stands in the file is believed no more.

setattr(cfg.train, name, value)        any of its settings may be another
setattr(owner, name, value)            nobody knows whose
cfg.train.__dict__.update(words)       whoever asks for it whole may write there
"""

from __future__ import annotations

from gradlint.interpret.machine import Machine
from gradlint.interpret.values import Tracked, Unknown, Value


def open_settings(machine: Machine, owner: Value) -> None:
    """The settings that an object holds of a file may be others from here on; of no object in sight, all may."""
    shipped = machine.plan.numbers.shipped
    if not isinstance(owner, Tracked):
        shipped.clear()
        return
    for name, value in list(owner.attrs.items()):
        if isinstance(value, Unknown) and value.key in shipped:
            del shipped[value.key]
            owner.attrs[name] = machine.unknown(f"{owner.key}.{name}")
