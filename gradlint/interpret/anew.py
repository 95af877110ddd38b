"""Networks that are made anew: in another iteration, or another call, the same name is another network's.

for fold in folds:
    net = Net(fold).cuda()       another one in each iteration
    net = build(fold)            nobody can say: it may hand out the same one again
    net = self.get_net()         the same one
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gradlint.interpret.values import Tracked, Unknown, Value, key_of
from gradlint.model.program import Role

if TYPE_CHECKING:
    from gradlint.interpret.machine import Machine

_CLASS = re.compile(r"(\w+\.)*_*[A-Z]\w*(\.from_\w+)?\(")
"""A class is called, or what makes one of its objects by convention: `AutoModel.from_pretrained(name)`."""

_ASKED = re.compile(r"(?P<owner>\w+(\.\w+)*)\.(get|current|the|unwrap)_\w+\((?P=owner)?\)")
"""An object is asked for what it holds."""


def name_network(machine: Machine, made: Value, value: Value, name: str, *, local: bool) -> None:
    """Call a network that something nobody can look into made, and note where it may be another one than before.

    Args:
        machine: the running machine.
        made: what was made of `value`, if it was.
        value: the result of the call.
        name: the variable or attribute it is kept under.
        local: whether that is a variable of a function: in another call it is another network's name.
    """
    if made is value or not isinstance(made, Tracked) or made.role is not Role.MODEL or not isinstance(value, Unknown):
        return
    models, key = machine.models, key_of(value)
    around = machine.made_of.get(key, frozenset())
    if _CLASS.match(key) and all(models.anew.get(part) == machine.stamp for part in around):
        made.key = models.handed.get(value) or machine.local_name(name, machine.stamp)
        models.anew.setdefault(made.key, machine.stamp)
    else:
        made.key = machine.local_name(name) if local else name
        if made.key in models.named and value not in models.handed and not around and not _ASKED.match(key):
            machine.log.renewed.append((len(machine.log.events), made.key))
        models.named.add(made.key)
    models.handed.setdefault(value, made.key)
