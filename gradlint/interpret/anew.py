"""What the project's own factories make, and networks that are made anew under the same name.

for fold in folds:
    net = Net(fold).cuda()       another one in each iteration
    net = build(fold)            nobody can say: it may hand out the same one again
    net = self.get_net()         the same one
"""

from __future__ import annotations

from gradlint.interpret.layers import has_one_mode, is_layer
from gradlint.interpret.machine import Machine
from gradlint.interpret.traits import key_of
from gradlint.interpret.values import Tracked, Unknown, Value
from gradlint.model.pattern import pattern
from gradlint.model.roles import Role

_CLASS = pattern(r"(\w+\.)*_*[A-Z]\w*(\.from_\w+)?\(")
"""A class is called, or what makes one of its objects by convention: `AutoModel.from_pretrained(name)`."""

_ASKED = pattern(r"(?P<owner>\w+(\.\w+)*)\.(get|current|the|unwrap)_\w+\((?P=owner)?\)")
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
    networks, key = machine.objects.networks, key_of(value)
    around = machine.objects.made_of.get(key, frozenset())
    if _CLASS.match(key) and all(networks.anew.get(part) == machine.course.stamp for part in around):
        apart = is_layer(value) and not local and not machine.course.looping
        named = _apart(machine, name, value) if apart else machine.local_name(name, machine.course.stamp)
        made.key = networks.handed.get(value) or named
        networks.anew.setdefault(made.key, machine.course.stamp)
    else:
        made.key = machine.local_name(name) if local and name not in around else name
        if made.key in networks.named and value not in networks.handed and not around and not _ASKED.match(key):
            machine.log.models.renewed.append((len(machine.log.events), made.key))
        networks.named.add(made.key)
    networks.handed.setdefault(value, made.key)


def _apart(machine: Machine, name: str, value: Unknown) -> str:
    """A key for a layer that a function calls `name`, as it may call others: what other words have made is another.

    correct(loss, head, head_opt)           in both its parameter is called `net`
    correct(loss, trunk, trunk_opt)
    """
    made = machine.names.layers.setdefault(name, [])
    if not made and machine.names.is_taken(name):
        made.append("")
    for number, text in enumerate(made):
        if text and (text.startswith(value.key) or value.key.startswith(text)):
            return f"{name}#{number}" if number else name
    made.append(value.key)
    return f"{name}#{len(made) - 1}" if len(made) > 1 else name


MANUFACTURED = frozenset(Role) - {Role.CRITERION, Role.STACK, Role.METER, Role.LIGHTNING, Role.FOREIGN}


def manufactured(machine: Machine, value: Value, hint: Role | None, name: str) -> Value:
    """What a project's own factory made has the role of its name; an optimizer has the parameters handed over."""
    if isinstance(value, Unknown) and value.called and hint in MANUFACTURED and not value.detached:
        asked = value.key if is_handle(value) else value
        if hint is not Role.MODEL and (asked, hint) in machine.objects.taken:
            return machine.objects.taken[asked, hint]
        anew = machine.course.stamp and not is_handle(value)
        origin = "foreign" if hint is Role.OPTIMIZER and _FOREIGN_CLASS.match(value.key) else "factory"
        tracked = Tracked(f"{name}#{machine.names.fresh()}" if anew else name, hint, origin=origin)
        if hint is Role.OPTIMIZER:
            tracked.make.extra["class"] = machine.objects.classes.get(value)
            tracked.params = machine.objects.made_of.get(value.key) or machine.objects.networks.given.get(value)
        if hint is Role.LOADER:
            tracked.make.extra["of"] = value
        if hint is Role.MODEL:
            tracked.key = name
            tracked.make.extra["one mode"] = has_one_mode(value)
            tracked.make.extra["bare"] = is_layer(value)
        machine.objects.taken[asked, hint] = tracked
        machine.witnessed.hand_on(value, tracked)
        return tracked
    return value


_FOREIGN_CLASS = pattern(r"(\w+\.)*[A-Z]\w*[a-z]\w*\(")
"""A class of another package or file is made: what its methods do, nobody can see here."""


def is_handle(value: Value) -> bool:
    """Whether a value is what Lightning hands out: the same object every time."""
    return isinstance(value, Unknown) and value.called and _HANDLE.search(value.key) is not None


_HANDLE = pattern(r"\b(optimizers|lr_schedulers)\(\w*\)(\[-?\d+\])?$")
"""Lightning's calls that hand out the same object every time."""
