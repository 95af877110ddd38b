"""Calls that nobody can look into: whether they may touch the books, and what they may do to them.

    optimizer_update(optimizer, scaler)     steps, clears, unscales, updates the scaler
    clip_gradients(optimizer, 1.0)          rescales and, by its name, does not step
    share(model)                            may reduce gradients, for the model's are in its hands
    adjust_learning_rate(optimizer, epoch)  none of these
    with ddp_sync(model, last):             may say which backwards are synchronised, for it is a context of DDP's

What was handed over says most; a name only takes away.
"""

from __future__ import annotations

from gradlint.interpret.contents import things_in
from gradlint.interpret.limits import BUILT_IN
from gradlint.interpret.lineage import base_of, classes_of
from gradlint.interpret.machine import Machine
from gradlint.interpret.state.graphs import Graphs
from gradlint.interpret.state.objects import Objects
from gradlint.interpret.traits import key_of
from gradlint.interpret.values import Parameters, Series, Table, Tracked, Unknown, Value
from gradlint.interpret.words import Word
from gradlint.libraries.convention import Convention
from gradlint.libraries.conventions.calls import (
    EVALUATES,
    GATHERS,
    HARMLESS,
    HOOK_NAME,
    NOT_STEPPED,
    REDUCES,
    REDUCES_OR_GATHERS,
    RESCALES,
    RUNS,
    SETS_RATE,
    SPENDS,
    TAKES_AWAY,
    TELLS_EPOCH,
)
from gradlint.libraries.conventions.numbers import GRADIENT_NAME
from gradlint.libraries.conventions.roles import PLAIN_BASE, SAMPLER_NAME
from gradlint.libraries.inherited import INHERITED
from gradlint.model.events import Deed, Kind, Opaque, Write
from gradlint.model.factor import UNKNOWN_FACTOR
from gradlint.model.program import Attr, Call, Item, Program, Read
from gradlint.model.roles import Role

_PARTS: tuple[tuple[Convention, frozenset[Deed]], ...] = (
    (RESCALES, frozenset({Deed.RESCALE, Deed.UNSCALE})),
    (TAKES_AWAY, frozenset({Deed.CLEAR})),
    (REDUCES, frozenset({Deed.REDUCE, Deed.RESCALE})),
)
"""What a name says of the part of an update that a call is."""

_SPENDER = frozenset({Deed.STEP, Deed.CLEAR, Deed.ADD, Deed.RESCALE, Deed.REDUCE})
_OF: dict[Role, frozenset[Deed]] = {
    Role.OPTIMIZER: _SPENDER,
    Role.ENGINE: _SPENDER,
    Role.SCALER: frozenset({Deed.UPDATE, Deed.UNSCALE, Deed.SCALE}),
    Role.SCALER_CALLABLE: frozenset({Deed.UPDATE, Deed.UNSCALE, Deed.SCALE}),
}
"""What can be done with an object in hand."""

_HOOKED = frozenset(Deed) - {Deed.ADD, Deed.RESCALE}
"""A callback may do what the loop leaves undone; none is written to divide gradients."""

_KEEPER = frozenset({Deed.CLEAR, Deed.ADD, Deed.RESCALE, Deed.REDUCE})
"""What is given only a model, its parameters or a loss."""

_CLEARER = frozenset({Deed.CLEAR})
"""What makes a loss of the networks that it is given: it starts with a clean sheet, or leaves that to the loop."""


_DATA = frozenset({Role.LOADER, Role.SAMPLER})


def touch(
    machine: Machine,
    node: Call,
    name: str,
    word: Word,
    receiver: Value,
    values: list[Value],
    tracked_objects: list[Tracked],
) -> None:
    """Note a call that cannot be followed, where it may touch the books."""
    if tracked_objects and _is_of_one_kind(machine, node, name, tracked_objects):
        return
    if word.harmless or _leaves_alone(machine.program, node, name, receiver, tracked_objects):
        return
    if tracked_objects and (held := [tracked for tracked in tracked_objects if tracked.role in _OF]):
        if name[:1].isupper() and not machine.course.working and not RUNS.search(name):
            return
        optimizers = frozenset(tracked.key for tracked in held if tracked.role is Role.OPTIMIZER) or None
        may = _with(name, held, trains=any(tracked.role is Role.MODEL for tracked in tracked_objects))
        _emit(machine, node, Opaque(node.text, optimizers, False, may))
    elif word.attacks and (kept := _kept_by(machine.objects, receiver)):
        optimizers = frozenset(tracked.key for tracked in kept if tracked.role is Role.OPTIMIZER) or None
        _emit(machine, node, Opaque(node.text, optimizers, False, _with(name, list(kept), trains=True)))
    elif HOOK_NAME[node.text.partition("(")[0]]:
        _emit(machine, node, Opaque(node.text, None, True, _HOOKED))
    elif word.touches and (_is_own(receiver) or any(map(_is_trainer, tracked_objects))):
        _emit(machine, node, Opaque(node.text, None, False, whole=not _is_own(receiver)))
    elif (values and _hold_books(machine.objects, values)) or (
        node is machine.stack.doing and _inherits(machine.program, receiver)
    ):
        _emit(machine, node, Opaque(node.text, None, True, _HOOKED))
    elif word.touches and (_given_books(machine.graphs, values) or (GRADIENT_NAME[name] and _nobodys(receiver))):
        _emit(machine, node, Opaque(node.text, None, False, _KEEPER))
    elif tracked_objects and node is not machine.stack.doing and _of_networks(receiver, tracked_objects):
        _emit(machine, node, Opaque(node.text, None, False, _CLEARER))


def _is_of_one_kind(machine: Machine, node: Call, name: str, tracked_objects: list[Tracked]) -> bool:
    """Note a context of DDP's, of which no more is to be said, and what is told the epoch."""
    if node is machine.stack.entering and any(map(_is_ddp, tracked_objects)):
        _emit(machine, node, Opaque(node.text, None, False, frozenset({Deed.SYNC, Deed.REDUCE})))
        return True
    if all(tracked.role in _DATA for tracked in tracked_objects) and TELLS_EPOCH[name]:
        machine.emit(Kind.SET_EPOCH, node.span, "*", node.text)
    return False


_LEARNS = frozenset({Role.MODEL, Role.ENGINE, Role.OPTIMIZER})


def note_handed(
    machine: Machine, node: Call, name: str, receiver: Value, values: list[Value], tracked_objects: list[Tracked]
) -> None:
    """Note a call that may do something with gradients: `share(net)`, and `outer.step()` of nobody knows what."""
    given = any(tracked.role in _LEARNS for tracked in tracked_objects)
    given = given or any(value.__class__ is Parameters for value in values)
    named = name == "step" and _nobodys(receiver) and not NOT_STEPPED.search(_receiver_name(node))
    if (named or (given and not _keeps_off(name))) and not machine.stack.preparing:
        machine.log.models.handed.append(len(machine.log.events))


def _keeps_off(name: str) -> bool:
    """Whether a call by this name leaves gradients where they are: `save(net)`, but not `upload_gradients(net)`."""
    return name[:1].isupper() or name in BUILT_IN or (HARMLESS[name] and not GRADIENT_NAME[name])


def hold(objects: Objects, name: str, made: Unknown, tracked_objects: list[Tracked]) -> None:
    """Note that an object of another file was given an optimizer or a scaler: its methods may use them later."""
    given = tuple(tracked for tracked in tracked_objects if tracked.role in _OF)
    if given and name[:1].isupper():
        objects.holders[made.key] = given


def _kept_by(objects: Objects, receiver: Value) -> tuple[Tracked, ...]:
    return objects.holders.get(receiver.key, ()) if objects.holders and isinstance(receiver, Unknown) else ()


def _several_networks(tracked_objects: list[Tracked]) -> bool:
    """`critic_loss(critic, maker, noise)`: whose loss is made elsewhere of several networks may be cleared there."""
    if len(tracked_objects) < 2:
        return False
    return len({tracked.root for tracked in tracked_objects if tracked.role is Role.MODEL}) > 1


def _of_networks(receiver: Value, tracked_objects: list[Tracked]) -> bool:
    """Whether the networks that a call is given may be run there, and their gradients cleared."""
    return _several_networks(tracked_objects) or _runs(receiver, tracked_objects)


def _runs(receiver: Value, tracked_objects: list[Tracked]) -> bool:
    """`arch.loss(net, batch)`, where `arch = __import__(args.arch)`: a file of one's own, and nobody sees which."""
    picked = isinstance(receiver, Unknown) and receiver.key.startswith(_PICKED)
    return picked and any(tracked.role is Role.MODEL for tracked in tracked_objects)


_PICKED = ("__import__(", "import_module(", "importlib.import_module(")


def _emit(machine: Machine, node: Call, detail: Opaque) -> None:
    machine.emit(Kind.OPAQUE, node.span, node.text, node.text, detail)


def _with(name: str, held: list[Tracked], *, trains: bool) -> frozenset[Deed]:
    """What a call may do with what it was handed: its name may say that it is only a part of an update, or a rate."""
    may = frozenset[Deed]().union(*(_OF[tracked.role] for tracked in held if tracked.role is not None))
    if SPENDS.search(name):
        return may
    if SETS_RATE.search(name) and not trains:
        return frozenset()
    parts = [deeds for words, deeds in _PARTS if words.search(name)]
    return may & frozenset[Deed]().union(*parts) if parts else may


def _is_ddp(tracked: Tracked) -> bool:
    return tracked.role is Role.MODEL and tracked.distributed == "ddp"


def _hold_books(objects: Objects, values: list[Value]) -> bool:
    """Whether one of some arguments holds an optimizer or a scaler."""
    for value in values:  # asked of every call: what most arguments are is told at a glance
        known = value.__class__ is Tracked or (value.__class__ is Unknown and not value.varying)
        if known and _holds_books(objects, value):
            return True
    return False


def _holds_books(objects: Objects, value: Value) -> bool:
    """Whether an optimizer or a scaler is in a record of another file (`state.optimizer`), or in the trainer."""
    if isinstance(value, Tracked) and value.role is None:
        parts = [tracked for part in value.attrs.values() for tracked in things_in(part)]
        if any(tracked.role in _OF for tracked in parts):
            return True
    if not _is_trainer(value) and not (isinstance(value, Unknown) and not value.varying):
        return False
    owner = f"{key_of(value)}."
    for role, key in objects.known:  # noqa: SIM110  # asked of every call: a generator would take three times as long
        if role in _OF and key.startswith(owner):
            return True
    return False


def _is_trainer(value: Value) -> bool:
    """Whether it is an object of a class of this file that is no library's object: it holds whatever it was given."""
    return isinstance(value, Tracked) and value.cls is not None and value.role is None


def _inherits(program: Program, receiver: Value) -> bool:
    """Whether a method may come from a base class of another file, one that may well work with gradients."""
    if not isinstance(receiver, Tracked) or receiver.cls is None or receiver.role is not None:
        return False
    return any(
        base_of(program, cls, base) is None
        for cls in classes_of(program, receiver.cls)
        for base in cls.bases
        if not PLAIN_BASE.search(base)
    )


def _leaves_alone(program: Program, node: Call, name: str, receiver: Value, given: list[Tracked]) -> bool:
    """Whether it is known of a method that it touches no gradients: it gathers numbers, or a library's class has it.

    Nor does who draws samples by the losses that they had: `schedule_sampler.update_with_local_losses(t, losses)`.
    """
    if name.startswith("update"):
        owner = _receiver_name(node)
        if GATHERS[owner] if name == "update" else SAMPLER_NAME[owner] and not given:
            return True
    return name in INHERITED and isinstance(receiver, Tracked) and _inherited_from(program, receiver, INHERITED[name])


def _inherited_from(program: Program, receiver: Tracked, bases: frozenset[str]) -> bool:
    """Whether all that an object is, and that is out of sight, is one of these bases."""
    cls = receiver.cls
    if cls is None:
        return False
    unseen = {
        base
        for one in classes_of(program, cls)
        for base in one.bases
        if base_of(program, one, base) is None and not PLAIN_BASE.search(base)
    }
    return bool(unseen) and unseen <= bases


def _is_own(receiver: Value) -> bool:
    return isinstance(receiver, Tracked) and receiver.cls is not None


def _nobodys(receiver: Value) -> bool:
    """Whether nothing is known of the owner of a method."""
    return receiver.__class__ is Unknown or (
        isinstance(receiver, Tracked) and receiver.cls is None and receiver.role is None
    )


def _receiver_name(node: Call) -> str:
    """What the owner of a method is called."""
    base = node.func.base if isinstance(node.func, Attr) else None
    while isinstance(base, Item):
        base = base.base
    return base.name if isinstance(base, (Read, Attr)) else ""


def _given_books(graphs: Graphs, values: list[Value]) -> bool:
    """True when a model is among the arguments, or a loss that has not run backward yet: what has is only a number."""
    for value in values:
        if isinstance(value, Unknown) and value.graph.bases and not value.detached and not graphs.is_spent(value.graph):
            if value.graph.forwards or not _is_score(value):
                return True
            continue
        if any(tracked.role in (Role.MODEL, Role.ENGINE) for tracked in things_in(value)):
            return True
        if isinstance(value, Parameters):
            return True
    return False


def _is_score(value: Unknown) -> bool:
    """`log.score_of(task)`: what was found when a model was evaluated, which nobody trains on."""
    return EVALUATES.search(value.key.partition("(")[0].rpartition(".")[2])


def reduces(machine: Machine, node: Call, name: str, values: list[Value]) -> None:
    """Note gradients that are gathered (`torch.cat([p.grad.view(-1) for p in ...])`) and then reduced at once."""
    gathered, made_of = False, machine.objects.made_of
    for value in values:
        if value.__class__ is Parameters or (
            made_of and value.__class__ is Unknown and made_of.get(value.key) == _NO_MODEL
        ):
            gathered = True
    if gathered and REDUCES_OR_GATHERS.search(name):
        machine.emit(Kind.WRITE, node.span, node.text, node.text, Write(None, UNKNOWN_FACTOR))
    elif gathered:
        machine.objects.made_of[node.text] = _NO_MODEL


_NO_MODEL = frozenset[str]()
"""What is made of parameters, and of no model as a whole."""


def of_optimizer(node: Call, key: str) -> Opaque:
    """What an unknown method of an optimizer may do."""
    return Opaque(node.text, frozenset((key,)), hook=False, may=_SPENDER)


_HOLDING = frozenset({Series, Table})


def handed_over(values: list[Value]) -> list[Tracked]:
    """The things among the arguments of a call; parameters are read to the end."""
    tracked_objects: list[Tracked] = []
    for value in values:
        kind = value.__class__
        if kind is Unknown:
            continue
        if kind is Tracked or kind in _HOLDING:
            tracked_objects += things_in(value)
        elif isinstance(value, Parameters):
            value.consume()
    return tracked_objects
