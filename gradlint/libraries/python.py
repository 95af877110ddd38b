"""Python's own functions and its standard library."""

from __future__ import annotations

from gradlint.libraries.operations import Operation
from gradlint.libraries.record import Library, call, method, plain
from gradlint.model.effects import Action, Named, Reduces
from gradlint.model.roles import Role

BUILT_IN = (
    call("len", Action.LENGTH),
    *(call(name, Action.NUMBER, Named(name)) for name in ("int", "float", "round")),
    call("abs", Action.ABSOLUTE),
    *(call(name, Action.EXTREME, Named(name)) for name in ("min", "max")),
    call("bool", Action.TRUTH),
    call("str", Action.SPELL),
    call("sum", Action.COMBINE, Reduces(), Operation.ARITHMETIC),
    *(call(name, Action.QUANTIFIED, Named(name)) for name in ("any", "all")),
    call("divmod", Action.DIVMOD),
    call("isinstance", Action.ISINSTANCE),
    call("hasattr", Action.HASATTR),
    call("callable", Action.CALLABLE),
    call("getattr", Action.GETATTR),
    call("setattr", Action.SETATTR),
    call("super", Action.SUPER),
    call("exec", Action.EXECUTE),
    call("range", Action.RANGE),
    call("enumerate", Action.ENUMERATE),
    call("zip", Action.ZIP),
    call("list set", Action.COLLECT, Named("list")),
    call("tuple", Action.COLLECT, Named("tuple")),
    call("dict", Action.DICT),
    call("iter", Action.FIRST),
    call("reversed", Action.REVERSED),
    call("sorted", Action.SORTED),
    call("next", Action.NEXT),
    call("filter map", Action.LAZY),
    call("open", Action.OPEN),
    call("print id type", Action.PLAIN),
    call("exit quit", Action.EXIT),
)
"""Functions that need no import."""

STANDARD = (
    call(
        "contextlib.nullcontext *.nullcontext contextlib.suppress *.suppress",
        Action.NULL_CONTEXT,
        None,
        Operation.CONTEXT,
    ),
    call("*.ExitStack", Action.EXIT_STACK),
    method(Role.STACK, "enter_context", Action.ENTER, anywhere=True),
    plain(Role.STACK, "close"),
    call("copy.deepcopy *.deepcopy", Action.COPY, None, Operation.COPY),
    call("itertools.chain itertools.chain.from_iterable", Action.CHAIN),
    call("itertools.islice *.islice", Action.ISLICE),
    call("itertools.cycle", Action.CYCLE),
    call("itertools.count", Action.COUNT),
    call("collections.OrderedDict", Action.DICT),
    call("collections.defaultdict", Action.LISTS),
    call("collections.deque", Action.DEQUE),
    call("functools.partial", Action.PARTIAL),
    call("weakref.proxy", Action.FIRST),
    call("types.SimpleNamespace argparse.Namespace", Action.NAMESPACE),
    call("dataclasses.field", Action.FIELD),
    call("dataclasses.replace attr.evolve attrs.evolve", Action.REPLACE),
    call("sys.exit os._exit", Action.EXIT),
    *(call(f"math.{name}", Action.NUMBER, Named(name)) for name in ("ceil", "floor")),
    call("math.inf", Action.PLAIN),
    call("json.load json.loads tomllib.load tomllib.loads toml.load", Action.READ_SETTINGS),
    call("yaml.safe_load yaml.load yaml.full_load yaml.unsafe_load", Action.READ_SETTINGS),
    call("omegaconf.OmegaConf.load *.OmegaConf.load", Action.READ_SETTINGS),
)
"""Functions and classes of the standard library."""

PYTHON = Library("Python", "https://docs.python.org/3/library/", (*BUILT_IN, *STANDARD))
