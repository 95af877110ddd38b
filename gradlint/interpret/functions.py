"""Functions of the file: parameters bound, bodies run, generators resumed."""

from __future__ import annotations

from collections.abc import Sequence

from gradlint.interpret.anew import manufactured, name_network
from gradlint.interpret.calm import OFTEN, likeness, noted
from gradlint.interpret.consumed import fresh_in, put_back
from gradlint.interpret.dispatch import STOP, evaluate, run
from gradlint.interpret.frame import Frame
from gradlint.interpret.groups import counted_by, group_size, handed_on, tells_epochs, walked
from gradlint.interpret.growing import outliving
from gradlint.interpret.layers import is_layer
from gradlint.interpret.lineage import role_of
from gradlint.interpret.machine import Machine
from gradlint.interpret.results import SMALL
from gradlint.interpret.returned import falls_out
from gradlint.interpret.sequences import Groups, Stream, Yields
from gradlint.interpret.state.budget import Abandoned
from gradlint.interpret.state.contexts import Yielded
from gradlint.interpret.state.course import Course
from gradlint.interpret.state.names import Names
from gradlint.interpret.state.sizes import Sizes
from gradlint.interpret.traits import key_of
from gradlint.interpret.typed import chooses_type, chosen_by
from gradlint.interpret.values import (
    Constructor,
    Context,
    Imported,
    Partial,
    Routine,
    Series,
    Table,
    Tracked,
    Unknown,
    Value,
    merge,
)
from gradlint.libraries.conventions.numbers import LIMIT_NAME, PROCESSES_NAME, WINDOW_NAME
from gradlint.libraries.tables import CALLS, METHODS
from gradlint.model.effects import EVENTS, Gate
from gradlint.model.factor import UNKNOWN_FACTOR
from gradlint.model.finding import Span
from gradlint.model.program import Attr, Class, Const, Expr, Function, Module, Parameter, Read, While
from gradlint.model.roles import Role

OF_TORCH = frozenset(METHODS[Role.MODEL]).difference(
    "training_step train_step compute_loss loss update step backward generate".split()
)
"""Methods that every network has, or its wrapper: what a class of the project calls so is an override of these."""

_FOLLOW = EVENTS | Gate.WEIGHT | Gate.ROLE | Gate.FORWARD | Gate.OPAQUE


def invoke(machine: Machine, routine: Routine, args: list[Value], keywords: dict[str, Value], span: Span) -> Value:
    """Run a function of the file, or stand aside where that would teach nothing."""
    function = routine.function
    if function.generator and "contextmanager" in {name.split(".")[-1] for name in function.decorators}:
        return Context("generator", value=Partial(routine, tuple(args), keywords))
    if function.left_open:
        anything = _some_result(machine.course, machine.names, function, args, keywords)
        anything.factor = UNKNOWN_FACTOR  # it knows all that the class knows, the window among it
        return anything
    stack, idle = machine.stack, not function.gates & _FOLLOW
    deep = stack.is_deep(function) or (idle and stack.followed.is_worn(function))
    dull = idle and len(function.body) > SMALL and not (stack.preparing and function.name == "__init__")
    dull = dull and not _wraps(routine)
    if not deep and function not in stack.functions and (handed := handed_on(function)) is not None:
        return _evaluated(machine, routine, args, keywords, handed)
    if deep or dull or function.generator:
        return _left_alone(machine, routine, args, keywords, deep=deep)
    if chooses_type(function.body) and (chosen := _chosen(machine, routine, args, keywords)) is not None:
        return chosen
    if (alike := likeness(routine, args, keywords)) is None:
        return _run(machine, routine, args, keywords, span)
    known = machine.stack.calm.get(alike)
    if known is not None and known.times >= OFTEN:
        again = known.again(_some_result(machine.course, machine.names, function, args, keywords))
        return _beside(machine, routine, args, keywords, span, again) if machine.witnessed.on else again
    stirred, told = machine.stack.stirred, len(machine.log.events)
    result = _run(machine, routine, args, keywords, span)
    if machine.stack.stirred == stirred and len(machine.log.events) == told:
        some = _some_result(machine.course, machine.names, function, args, keywords)
        machine.stack.calm[alike] = noted(known, result, some)
    return result


def _left_alone(
    machine: Machine, routine: Routine, args: list[Value], keywords: dict[str, Value], *, deep: bool
) -> Unknown:
    """What a call makes that is not run, or not before a loop asks a generator for something."""
    function = routine.function
    made = _some_result(machine.course, machine.names, function, args, keywords)
    if function.generator and made.form is None and not deep:
        made.form = _counted(machine, routine, args, keywords)
    inside = function.inside
    if function.endless and not deep and (machine.course.sampled or _makes_sampler(function)):
        made.form = _walking(machine, routine, args, keywords)
    acts = function.gates & EVENTS or inside.tells or "set_epoch" in inside.calls
    acts = acts or (Gate.MAKES in function.gates and "step" in inside.calls)  # a schedule, by whatever name
    if function.generator and not deep and acts:
        machine.course.acting[made] = Partial(routine, tuple(args), keywords)
    if function.generator and function.inside.within and not deep:
        machine.course.within[made] = _left_open(machine, Partial(routine, tuple(args), keywords))
    return made


def _beside(
    machine: Machine, routine: Routine, args: list[Value], keywords: dict[str, Value], span: Span, value: Value
) -> Value:
    """Run a call for the witness, of which paper knows enough to say its value."""
    machine.witnessed.hand_on(_run(machine, routine, args, keywords, span), value)
    return value


def _run(machine: Machine, routine: Routine, args: list[Value], keywords: dict[str, Value], span: Span) -> Value:
    """Run a function's body with these arguments."""
    function = routine.function
    frame = Frame(function, parent=routine.frame or machine.frame_of(function))
    bind_parameters(machine, frame, function.parameters, routine.receiver, args, keywords)
    machine.stack.loops[len(machine.stack.calls)] = len(machine.course.stamp)
    machine.stack.calls.append(span)
    limit = machine.budget.limit if function.gates & _FOLLOW else machine.budget.begin()
    choices, passed = machine.scenario.wrapped.choices, len(machine.scenario.wrapped.choices)
    try:
        result = enter_function(machine, frame)
    except Abandoned:
        if machine.budget.statements > limit:
            raise
        return _some_result(machine.course, machine.names, function, args, keywords)
    finally:
        del choices[passed:]
        machine.stack.calls.pop()
        machine.budget.limit = limit
    if result is None and falls_out(function):
        return _some_result(machine.course, machine.names, function, args, keywords)
    return result


def _entered(machine: Machine, routine: Routine, args: list[Value], keywords: dict[str, Value]) -> Frame:
    """The names of a call, of which nothing is run."""
    frame = Frame(routine.function, parent=routine.frame or machine.frame_of(routine.function))
    bind_parameters(machine, frame, routine.function.parameters, routine.receiver, args, keywords)
    return frame


def _evaluated(
    machine: Machine, routine: Routine, args: list[Value], keywords: dict[str, Value], handed: Expr
) -> Value:
    """What a function hands on."""
    machine.stack.functions.append(routine.function)
    try:
        return evaluate(machine, _entered(machine, routine, args, keywords), handed)
    finally:
        machine.stack.functions.pop()


def _chosen(machine: Machine, routine: Routine, args: list[Value], keywords: dict[str, Value]) -> Unknown | None:
    """The type that a function returns by what it is asked for, where nobody knows that."""
    frame = _entered(machine, routine, args, keywords)
    return chosen_by(machine, frame, routine.function.body, routine.function.qualname)


def _some_result(
    course: Course, names: Names, function: Function, args: list[Value], keywords: dict[str, Value]
) -> Unknown:
    """What a function makes of its arguments, whatever that is."""
    found = [value for value in (*args, *keywords.values()) if isinstance(value, Unknown)]
    result = merge(f"{function.qualname}({', '.join(key_of(arg) for arg in args)})", found)
    result.called = True
    result.graph = result.graph.based(frozenset((names.fresh(),)))
    result.varying = result.varying or course.looping
    if function.endless:
        result.form = Stream()
    elif function.generator and (size := group_size(function, args, keywords)) is not None:
        result.form = Groups(size)
    return result


def _walking(machine: Machine, routine: Routine, args: list[Value], keywords: dict[str, Value]) -> Stream:
    """What a generator without an end yields, and the loader that it goes through, unless it does more than that."""
    found = walked(routine.function)
    if found is None or routine.function.gates & EVENTS or tells_epochs(routine.function):
        return Stream()
    frame = _entered(machine, routine, args, keywords)
    ahead = routine.function.body[: next(at for at, one in enumerate(routine.function.body) if isinstance(one, While))]
    machine.stack.functions.append(routine.function)
    try:
        if _makes_sampler(routine.function) and run(machine, frame, ahead) == STOP:
            return Stream()
        return Stream(None, evaluate(machine, frame, found[0]), found[1])
    finally:
        machine.stack.functions.pop()


def _makes_sampler(function: Function) -> bool:
    """Whether a generator makes the loader itself that it goes through, with a sampler for the processes."""
    return any(name.endswith("DistributedSampler") for name in function.inside.calls)


def _counted(machine: Machine, routine: Routine, args: list[Value], keywords: dict[str, Value]) -> Yields | None:
    """How often a generator yields, where it counts up to a number that is known here."""
    called = counted_by(routine.function)
    if called is None:
        return None
    numbers = evaluate(machine, _entered(machine, routine, args, keywords), called)
    return Yields(numbers) if isinstance(numbers, Series) else None


def _wraps(routine: Routine) -> bool:
    """Whether a function closes over one that works on gradients: what a decorator has returned."""
    held = routine.frame.values.values() if routine.frame is not None and routine.frame.parent is not None else ()
    return any(isinstance(value, Routine) and bool(value.function.gates & _FOLLOW) for value in held)


def resume_generator(machine: Machine, made: Partial) -> None:
    """Run a generator again, silent up to its `yield`, for what it does afterwards."""
    routine = made.target
    if not isinstance(routine, Routine) or not (routine.function.gates & EVENTS or _is_handed_roles(made)):
        return
    frame = Frame(routine.function, parent=routine.frame or machine.frame_of(routine.function))
    bind_parameters(machine, frame, routine.function.parameters, routine.receiver, list(made.args), made.keywords)
    machine.training.modes = machine.training.before.get(id(made), machine.training.modes)
    put_back(machine.contexts.consumed.get(id(made), ()))
    machine.contexts.resuming += 1
    try:
        with machine.stack.silently():
            enter_function(machine, frame)
    finally:
        machine.contexts.resuming = 0


def _is_handed_roles(made: Partial) -> bool:
    """Whether a call was given a scaler or an optimizer, which may be called anything inside."""
    given = (*made.args, *made.keywords.values())
    return any(isinstance(one, Tracked) and one.role in (Role.SCALER, Role.OPTIMIZER) for one in given)


def _left_open(machine: Machine, made: Partial) -> list[Context]:
    """The contexts in which a generator stops, as long as its caller works on an item: autocast, no gradients.

    What stands there as a decorator is left and entered again by torch.
    """
    assert isinstance(made.target, Routine)
    if any(name.split(".")[-1] in _DECORATES for name in made.target.function.decorators):
        return []
    before = len(machine.contexts.entered)
    with machine.stack.silently():
        entered = enter_generator(machine, made)[before:]
    put_back(machine.contexts.consumed[id(made)])
    return [context for context in entered if context.kind in _DECORATES]


_DECORATES = frozenset({"autocast", "no_grad", "set_grad", "inference_mode", "enable_grad"})


def enter_generator(machine: Machine, made: Partial) -> list[Context]:
    """The contexts that are entered when a generator reaches its `yield`."""
    routine = made.target
    assert isinstance(routine, Routine)
    frame = Frame(routine.function, parent=routine.frame or machine.frame_of(routine.function))
    bind_parameters(machine, frame, routine.function.parameters, routine.receiver, list(made.args), made.keywords)
    machine.training.before[id(made)] = dict(machine.training.modes)
    fresh = fresh_in(made)
    machine.contexts.capturing += 1
    machine.contexts.captured = list(machine.contexts.entered)
    try:
        enter_function(machine, frame)
    except Yielded:
        pass
    finally:
        machine.contexts.capturing -= 1
        machine.contexts.consumed[id(made)] = [one for one in fresh if one.used]
    return machine.contexts.captured


def _around(machine: Machine, function: Function) -> list[Context]:
    """The contexts that decorators put around a function."""
    found = []
    for name in function.decorators:
        last = name.split(".")[-1]
        if last in ("no_grad", "inference_mode"):
            found.append(Context("no_grad"))
        elif last == "enable_grad":
            found.append(Context("set_grad"))
        elif last == "autocast" and not function.inside.autocast:
            found.append(Context("autocast", dtype="float16"))
    for decorator in function.inside.autocast:
        entered = evaluate(machine, machine.frame_of(function), decorator)
        found.append(entered if isinstance(entered, Context) else Context("autocast", dtype="?"))
    return found


def enter_function(machine: Machine, frame: Frame) -> Value:
    """Run the body of a frame whose parameters are bound."""
    function = frame.function
    machine.stack.stirred += not function.inside.calm
    guards = len(machine.scenario.guards)
    machine.stack.functions.append(function)
    if not machine.stack.preparing:
        machine.stack.covered.add(function.span)
    around = _around(machine, function) if function.decorators else []
    machine.contexts.entered += around
    try:
        ended = run(machine, frame, function.body)
    finally:
        machine.stack.functions.pop()
        machine.contexts.close(around)
        del machine.scenario.guards[guards:]
    return Unknown(f"{function.qualname}()", True) if ended == STOP else frame.result


def bind_parameters(
    machine: Machine,
    frame: Frame,
    parameters: Sequence[Parameter],
    receiver: Value,
    args: list[Value],
    keywords: dict[str, Value],
) -> None:
    """Bind the parameters of a call in its frame."""
    queue = list(args)
    if receiver is not None:
        queue.insert(0, receiver)
    if machine.sizes.handed:
        _name_windows(machine.sizes, parameters[len(queue) - len(args) :])
    left = dict(keywords)
    lasting = outliving(frame.function)
    for parameter in parameters:
        if parameter.star == "*":
            frame.values[parameter.name] = Series(queue, "tuple")
            queue = []
        elif parameter.star == "**":
            frame.values[parameter.name] = Table(dict[object, Value](left.items()))
        elif queue and not parameter.star:
            frame.values[parameter.name] = queue.pop(0)
        elif parameter.name in left:
            frame.values[parameter.name] = left.pop(parameter.name)
        elif parameter.default is not None and not (left and _is_spread(left)):
            frame.values[parameter.name] = _by_default(machine, frame, parameter, parameter.default)
        else:
            frame.values[parameter.name] = _handed(machine, frame.function, parameter)
        value = frame.values[parameter.name]
        outlives = parameter.name in lasting and not _is_of_this_turn(machine, value)
        frame.born[parameter.name] = () if outlives else machine.course.stamp
        if isinstance(value, Unknown) and value.called and parameter.role is not None:
            name = value.key if is_layer(value) and _is_path(value.key) else parameter.name
            made = frame.values[parameter.name] = manufactured(machine, value, parameter.role, name)
            name_network(machine, made, value, name, local=False)
            machine.names.homes.setdefault(name, (*machine.stack.calls, frame.function.span))


def _is_of_this_turn(machine: Machine, value: Value) -> bool:
    """Whether a network has computed it in this very iteration: nothing that goes on has been handed over."""
    if not isinstance(value, Unknown) or not value.graph.forwards:
        return False
    now, events = machine.course.stamp, machine.log.events
    return all(events[number].stamp[: len(now)] == now for number in value.graph.forwards)


def _is_path(key: str) -> bool:
    """Whether a key says where something is, as `net.trunk` does and `Sequential(...)` does not."""
    return "." in key and key.replace(".", "").isidentifier()


def _handed(machine: Machine, function: Function, parameter: Parameter) -> Value:
    """What nobody in sight hands over; a model whose annotation names a class in sight is one of these."""
    value = machine.free(parameter.name, parameter.role, "parameter")
    if isinstance(value, Tracked) and value.role is Role.MODEL:
        home = machine.program.home(function)
        named = machine.program.defined(home, parameter.cls) if parameter.cls else _worked_with(home, function)
        if isinstance(named, Class) and role_of(machine.program, named) is Role.MODEL:
            value.cls = named
    return value


def _worked_with(module: Module, function: Function) -> Class | None:
    """The only class of the file that has several of the methods a function calls, where it is handed one network.

    def fit(model, loader):
        loss = model.training_step(batch) ... model.epoch_end(epoch)

    What others are derived from may be any of these.
    """
    if function.owner is not None or sum(one.role is Role.MODEL for one in function.parameters) != 1:
        return None
    called = function.called - OF_TORCH
    classes = module.classes.values()
    found = [cls for cls in classes if len(called & cls.methods.keys()) > 1]
    if len(found) != 1 or "__init__" not in found[0].methods:
        return None
    derived = any(base.rpartition(".")[2] == found[0].name for cls in classes for base in cls.bases)
    return None if derived else found[0]


def _by_default(machine: Machine, frame: Frame, parameter: Parameter, default: Expr) -> Value:
    """What a parameter has that nobody gives; how many processes there are, a launcher elsewhere may say.

    @gin.configurable
    def train(accum=4): ...           a file of settings may give another window: so does `train()`
    def train(loader, accum=1): ...   a window is there to be set, also where no call in sight does yet
    def train(loader, max_norm=0): ...   so is a limit
    """
    number = default.value if isinstance(default, Const) else None
    configured = any(name.rpartition(".")[2] in _CONFIGURED for name in frame.function.decorators)
    whole = isinstance(number, int) and not isinstance(number, bool) and (number == 1 or configured)
    if whole and WINDOW_NAME.search(parameter.name):
        machine.plan.numbers.note_default(parameter.name, default)
        return machine.free(parameter.name, parameter.role, "parameter")
    if (
        isinstance(default, Const)
        and default.value in (None, 0)
        and default.value is not False
        and LIMIT_NAME[parameter.name]
    ):
        return machine.unknown(parameter.name)
    if isinstance(default, Const) and default.value in (None, 0, 1) and PROCESSES_NAME.search(parameter.name):
        return machine.unknown(parameter.name)
    return evaluate(machine, machine.frame_of(frame.function), default)


_CONFIGURED = frozenset({"configurable", "external_configurable", "command", "capture", "main", "automain"})
"""By these a file of settings or a command line gives what a call leaves out: gin, sacred, click, typer."""


def _is_spread(keywords: dict[str, Value]) -> bool:
    """Whether a dictionary that nobody can list is among the arguments: it may hold any of them."""
    return any(name.startswith("**") for name in keywords)


def _name_windows(sizes: Sizes, parameters: Sequence[Parameter]) -> None:
    """Windows whose ends the arguments tell, by the names of the parameters."""
    for place, size in sizes.handed.items():
        if isinstance(place, str):
            sizes.moduli[place] = size
        elif place < len(parameters):
            sizes.moduli[parameters[place].name] = size
    sizes.handed = {}


def bound_to(function: Function, owner: Tracked | Constructor) -> Value:
    """What a method gets as its first argument: the object, its class, or nothing."""
    if "staticmethod" in function.decorators:
        return None
    if "classmethod" in function.decorators:
        return Constructor(owner.cls) if owner.cls is not None else None
    return owner if isinstance(owner, Tracked) else None


def bind_free(machine: Machine, frame: Frame, function: Function, receiver: Tracked | None) -> None:
    """Bind the parameters of a function nobody calls: roles by evidence, everything else unknown."""
    for number, parameter in enumerate(function.parameters):
        own = "staticmethod" not in function.decorators or parameter.name == "self"
        if number == 0 and receiver is not None and own:
            frame.values[parameter.name] = bound_to(function, receiver) or receiver
        elif parameter.star:
            key = parameter.name
            frame.values[parameter.name] = Unknown(key, leaves=frozenset((key,)))
        else:
            made = _optimizer_class(machine, function, parameter)
            frame.values[parameter.name] = made or _handed(machine, function, parameter)
            machine.plan.numbers.note_default(parameter.name, parameter.default)
        frame.born[parameter.name] = ()


def _optimizer_class(machine: Machine, function: Function, parameter: Parameter) -> Imported | None:
    """`def fit(net, loader, opt_func=torch.optim.SGD)`: who hands over another one means one of torch's, too."""
    if not isinstance(parameter.default, (Read, Attr)):
        return None
    value = evaluate(machine, machine.frame_of(function), parameter.default)
    if not isinstance(value, Imported) or not value.name.startswith("torch.optim."):
        return None
    effect = CALLS.get(f"*.{value.name.rpartition('.')[2]}")
    return value if effect is not None and effect.role is Role.OPTIMIZER else None


def invoke_method(
    machine: Machine, function: Function, tracked: Tracked, args: list[Value], keywords: dict[str, Value], span: Span
) -> Value:
    """Call a method on a thing."""
    return invoke(machine, Routine(function, machine.frame_of(function), tracked), args, keywords, span)
