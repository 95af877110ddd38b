"""Entries: the functions at which the dry run may begin, in the order in which they are tried.

Callers come before what they call, so that a helper is run as its callers mean it. A function that
does nothing but call on what has been run already is no entry: it would show the same once more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from gradlint.interpret.limits import nodes, parts_of_function
from gradlint.interpret.lineage import classes_of, role_of
from gradlint.libraries.lightning import TRAINING_HOOKS
from gradlint.model.effects import EVENTS, Gate
from gradlint.model.finding import Span
from gradlint.model.mentions import LAUNCHERS
from gradlint.model.program.expressions import Attr, Call, Expr, Read, Star
from gradlint.model.program.statements import Assign, Augment, Define, Do, Return, Stmt
from gradlint.model.program.whole import SUITES, Class, Function, Program, Works, assignments, statements
from gradlint.model.record import dataclass, replace
from gradlint.model.roles import Role

WORK = Gate.BACKWARD | Gate.STEP


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """Where a region begins: a function, with the class it belongs to or the function around it.

    Somebody may have told that another one is called `before` it, each time.
    """

    function: Function
    owner: Class | None = None
    outer: Function | None = None
    before: Function | None = None

    @property
    def name(self) -> str:
        """Its qualified name."""
        return self.function.qualname


def entry_named(program: Program, name: str, owner: str = "") -> Entry | None:
    """The entry of a name, that on a class of some name if there are several."""
    if name == program.body.qualname:
        return Entry(program.body)
    found = [entry for entry in ordered(program) if entry.name == name]
    own = (entry for entry in found if entry.owner is not None and entry.owner.name == owner)
    return next(own, found[0] if found else None)


def ordered(program: Program) -> list[Entry]:
    """Functions with work in them, callers before callees."""
    entries = [Entry(function) for function in program.functions.values() if function.works is not Works.NOT]
    for cls in program.classes.values():
        inherited = _inherited(program, cls)
        methods = [one for one in (*cls.methods.values(), *inherited) if one.works is not Works.NOT]
        entries += [Entry(function, _concrete(program, cls, function)) for function in methods]
    around = [entry for entry in entries if entry.function.works is Works.HOLDS]
    nested = [Entry(inner, entry.owner, entry.function) for entry in around for inner in _inner(entry.function.body)]
    entries = [
        entry for entry in entries + nested if entry.function.works is not Works.NOT and entry.function.gates & WORK
    ]
    named: dict[str, int] = {}
    calls = {id(entry): entry.function.called for entry in entries}
    for entry in entries:
        for name in calls[id(entry)] - {entry.function.name}:
            named[name] = named.get(name, 0) + 1

    def rank(entry: Entry) -> tuple[bool, bool, bool, bool, int, int]:
        gates = entry.function.gates
        return (
            _is_hook(program, entry),
            named.get(entry.function.name, 0) > 0,
            entry.outer is not None,
            Gate.LOOP_STEP not in gates,
            -len(calls[id(entry)]),
            entry.function.span.row,
        )

    found = sorted(entries, key=rank)
    return _joined(program, found) if program.told.after else found


def is_trained(program: Program, entry: Entry) -> bool:
    """Whether an entry is what Lightning's trainer calls for each batch of an epoch."""
    if entry.owner is None or entry.outer is not None or entry.before is not None:
        return False
    return entry.function.name == "training_step" and role_of(program, entry.owner) is Role.LIGHTNING


def _is_hook(program: Program, entry: Entry) -> bool:
    """Whether an entry is a hook that Lightning's trainer calls around batches or epochs: it is run with these."""
    hook = entry.owner is not None and any(entry.function.name in names for names in TRAINING_HOOKS)
    return hook and entry.owner is not None and role_of(program, entry.owner) is Role.LIGHTNING


def _joined(program: Program, entries: list[Entry]) -> list[Entry]:
    """The entries, each with what was told to be called before it, which is no entry of its own any more."""
    before = dict(filter(None, (_before(program, entries, row, name) for row, name in program.told.after.items())))
    joined = {id(function) for function in before.values()}
    rest = [entry for entry in entries if id(entry.function) not in joined]
    return [replace(entry, before=before.get(entry.function)) for entry in rest]


def _before(program: Program, entries: list[Entry], row: int, name: str) -> tuple[Function, Function] | None:
    """The innermost function around a row, and the one that is called before it."""
    around = [entry for entry in entries if entry.function.span.row <= row <= entry.function.span.end_row]
    if not around:
        return None
    inner = max(around, key=lambda entry: entry.function.span.row)
    owner = inner.owner
    for cls in () if owner is None else (owner, *(program.classes.get(base.split(".")[-1]) for base in owner.bases)):
        if cls is not None and name in cls.methods:
            return inner.function, cls.methods[name]
    found = program.functions.get(name)
    return None if found is None else (inner.function, found)


def _inherited(program: Program, cls: Class) -> list[Function]:
    """The methods that a class has from bases in other files: there they are run with what this class fills in."""
    if not program.link.several:
        return []
    beyond = [base for base in classes_of(program, cls) if base.span.module != program.main.number]
    named = set(cls.methods)
    found: list[Function] = []
    for base in beyond:
        found += [method for name, method in base.methods.items() if name not in named]
        named |= base.methods.keys()
    return found


def _concrete(program: Program, cls: Class, function: Function) -> Class:
    """The class a method is run on: a subclass in the file fills in what the base leaves open."""
    for other in program.classes.values():
        if other is not cls and cls.name in {base.split(".")[-1] for base in other.bases}:
            return cls if function.name in other.methods else other
    return cls


def _inner(body: tuple[Stmt, ...]) -> list[Function]:
    """Functions defined inside a suite."""
    found: list[Function] = []
    for node in body:
        if isinstance(node, Define) and isinstance(node.value, Function):
            found.append(node.value)
        for part in SUITES:
            inner = getattr(node, part, None)
            if isinstance(inner, tuple):
                found += _inner(inner)
    return found


def repeats(program: Program, entry: Entry, covered: set[Span]) -> bool:
    """Whether a function works on gradients only by handing variables on to functions that were run before."""
    if entry.owner is not None or entry.outer is not None:
        return False
    return all(_harmless(node) or _hands_on(program, node, covered) for node in entry.function.body)


def is_launched(program: Program, name: str) -> bool:
    """Whether a function is handed over to be run in processes of its own, perhaps beside a plain call.

    if gpus > 1:
        mp.spawn(worker, nprocs=gpus)
    else:
        worker(0)

    Or a helper of another file starts them: `launch_job(worker, gpus, args)`.
    """
    functions = program.functions.values() if program.main.mentions.launches else ()
    places = [one for one in functions if one.called & LAUNCHERS]
    if any(name in _handed_over(node) for node in (program.body, *places)):
        return True
    holding = [one for one in (program.body, *program.functions.values()) if name in one.called]
    return any(_launches(program, helper) for one in holding for helper in _handed_over(one).get(name, ()))


def launched_beyond(program: Program) -> Iterator[Function]:
    """The functions of other files that a file hands over to be run in processes of their own.

    from train import worker
    mp.spawn(worker, nprocs=gpus)
    """
    places = (program.body, *program.functions.values()) if program.main.mentions.launches else ()
    for call in (part for place in places for part in nodes(place.body) if isinstance(part, Call)):
        starts = isinstance(call.func, (Read, Attr)) and (
            call.func.name in LAUNCHERS or (isinstance(call.func, Read) and _launches(program, call.func.name))
        )
        for one in (*call.args, *(value for _, value in call.keywords)) if starts else ():
            there = program.main.imports.get(one.name) if isinstance(one, Read) else None
            found = None if there is None else program.meant(program.main, there)
            if isinstance(found, Function):
                yield found


@lru_cache(maxsize=64)
def _handed_over(function: Function) -> Mapping[str, frozenset[str]]:
    """Names that the calls of a function are given as arguments, each with the names of what is called so."""
    found: dict[str, set[str]] = {}
    for given, called in _arguments(function):
        found.setdefault(given, set()).add(called)
    return {given: frozenset(called) for given, called in found.items()}


def _arguments(function: Function) -> Iterator[tuple[str, str]]:
    """Names that calls are given as arguments, in what is in no other function; each with the call's own, if plain.

    A function that a decorator is given (`fit = register("fit")(fit)`, or above it) goes to nobody else.
    """
    parts = parts_of_function(function)
    decorating = {id(one.value) for one in assignments(function.body) if _decorates(one)}
    decorating |= {id(call) for one in statements(function.body) if isinstance(one, Define) for call in one.decorated}
    for call in (part for part in parts if isinstance(part, Call) and id(part) not in decorating):
        given = (*call.args, *(value for _, value in call.keywords))
        called = call.func.name if isinstance(call.func, Read) else ""
        yield from ((one.name, called) for one in given if isinstance(one, Read))


def _decorates(node: Assign | Augment) -> bool:
    """Whether a name is given what a call makes of what it stood for."""
    target, value = node.target, node.value
    if not isinstance(target, Read) or not isinstance(value, Call) or len(value.args) != 1:
        return False
    return isinstance(value.args[0], Read) and value.args[0].name == target.name


def _launches(program: Program, helper: str) -> bool:
    """Whether a name is that of a function of another file which starts processes."""
    there = program.main.imports.get(helper)
    found = None if there is None else program.meant(program.main, there)
    return isinstance(found, Function) and not found.called.isdisjoint(LAUNCHERS)


def _harmless(node: Stmt) -> bool:
    """Whether a statement leaves gradients alone, and sets nothing that another function could read."""
    return not node.gates & EVENTS and all(isinstance(one.target, Read) for one in assignments((node,)))


def _hands_on(program: Program, node: Stmt, covered: set[Span]) -> bool:
    if not isinstance(node, (Assign, Do, Return)) or not isinstance(node.value, Call):
        return False
    call = node.value
    callee = program.functions.get(call.func.name) if isinstance(call.func, Read) else None
    given = (*call.args, *(value for _, value in call.keywords))
    return callee is not None and callee.span in covered and all(_variable(one) for one in given)


def _variable(value: Expr) -> bool:
    return isinstance(value.value if isinstance(value, Star) else value, Read)
