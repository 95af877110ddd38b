"""What is in a file: its functions, classes and imports, and what each name is used for."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from gradlint.verify.slice.words import BUILDERS, LIFECYCLE, by_spelling

Function = ast.FunctionDef | ast.AsyncFunctionDef

BACKWARD = frozenset("backward manual_backward".split())
ANNOTATIONS = {
    "Optimizer": "optimizer",
    "GradScaler": "scaler",
    "LRScheduler": "scheduler",
    "_LRScheduler": "scheduler",
    "DataLoader": "loader",
    "DistributedSampler": "sampler",
    "DistributedDataParallel": "ddp",
    "DDP": "ddp",
    "Module": "model",
    "Accelerator": "accelerator",
    "Fabric": "fabric",
}


@dataclass
class Class:
    """A class of the file: its methods and the names of its bases."""

    node: ast.ClassDef
    bases: tuple[str, ...]
    methods: dict[str, Function] = field(default_factory=dict)
    constants: dict[str, ast.expr] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """As written after `class`."""
        return self.node.name


@dataclass
class Index:
    """One file: `gating` holds the simple names of functions that do something to gradients, with all they call."""

    tree: ast.Module
    functions: dict[str, Function] = field(default_factory=dict)
    classes: dict[str, Class] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    used: dict[str, set[str]] = field(default_factory=dict)
    annotated: dict[str, str] = field(default_factory=dict)
    losses: set[str] = field(default_factory=set)
    defaults: dict[str, object] = field(default_factory=dict)
    gating: set[str] = field(default_factory=set)
    stepping: set[str] = field(default_factory=set)
    backing: set[str] = field(default_factory=set)
    switching: set[str] = field(default_factory=set)
    assigned: set[str] = field(default_factory=set)
    counted: set[str] = field(default_factory=set)
    paths: set[str] = field(default_factory=set)
    cache: dict[int, bool] = field(default_factory=dict)

    def role(self, name: str) -> str | None:
        """What an object of that name is, by annotation, then use, then spelling."""
        used = self.used.get(name, set())
        if name in self.annotated:
            role = self.annotated[name]
            return "ddp" if role == "model" and used & {"no_sync", "require_backward_grad_sync"} else role
        if {"unscale_"} & used or {"scale", "update"} <= used:
            return "scaler"
        spelled = by_spelling(name)
        if {"zero_grad", "step"} <= used and spelled != "model":
            return "optimizer"
        if used & {"no_sync", "require_backward_grad_sync"} and spelled not in ("accelerator", "fabric"):
            return "ddp"
        if spelled is None and (used & {"parameters", "named_parameters"}):
            return "model"
        if spelled is None and "set_epoch" in used:
            return "sampler"
        return spelled

    def tells_epoch(self) -> bool:
        """Whether anything in the file tells a sampler the epoch."""
        return any(
            "set_epoch" in names or ("epoch" in names and "sampler" in owner.lower())
            for owner, names in self.used.items()
        )

    def gates(self, node: ast.AST) -> bool:
        """Whether something in `node` can do anything to gradients, with all it calls in the file."""
        known = self.cache.get(id(node))
        if known is None:
            known = self.cache[id(node)] = any(self._gate(inner) for inner in ast.walk(node))
        return known

    def runs_backward(self, nodes: list[ast.stmt]) -> bool:
        """Whether the statements run a backward, with all they call in the file."""
        return any(called(node) & (_dotted(BACKWARD) | self.backing) for node in nodes)

    def any_gate(self, nodes: list[ast.stmt]) -> bool:
        """Whether one of the statements gates."""
        return any(self.gates(node) for node in nodes)

    def _called_object(self, node: ast.Call) -> bool:
        """`loss_scaler(loss, ...)`: an object of the file's own class may be what is called."""
        plain = (
            isinstance(node.func, ast.Name) and node.func.id not in self.functions and node.func.id not in self.classes
        )
        return plain and f".{CALLED}" in self.gating and len(node.args) + len(node.keywords) > 1

    def _gate(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Call):
            name = terminal(node.func)
            if isinstance(node.func, ast.Name) and name == "eval":
                return False  # Python's own, not a model's
            key = f".{name}" if isinstance(node.func, ast.Attribute) else name
            return name in LIFECYCLE or name in BUILDERS or key in self.gating or self._called_object(node)
        if isinstance(node, ast.Attribute):
            return isinstance(node.ctx, ast.Store) and node.attr in ("grad", "require_backward_grad_sync")
        return False


def terminal(node: ast.expr) -> str:
    """The last name of `a.b.c`, of a subscript or of a call: how a reader would call it."""
    while True:
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, ast.Attribute):
            return node.attr
        if isinstance(node, ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        else:
            return ""


def dotted(node: ast.expr) -> str:
    """`a.b.c` as text, or "" when it is anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return f"{base}.{node.attr}" if base else ""
    return ""


def index(tree: ast.Module) -> Index:
    """Look through a file once."""
    found = Index(tree)
    for statement in _flat(tree.body):
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.functions[statement.name] = statement
        elif isinstance(statement, ast.ClassDef):
            found.classes[statement.name] = _class(statement)
    for node in ast.walk(tree):
        _look(node, found)
    _close(found)
    return found


def _flat(body: list[ast.stmt]) -> list[ast.stmt]:
    """Statements of a module, those under `if` and `try` too."""
    flat: list[ast.stmt] = []
    for statement in body:
        flat.append(statement)
        if isinstance(statement, ast.If):
            flat += _flat(statement.body) + _flat(statement.orelse)
        elif isinstance(statement, ast.Try):
            flat += _flat(statement.body)
    return flat


def _class(node: ast.ClassDef) -> Class:
    found = Class(node, tuple(dotted(base) or terminal(base) for base in node.bases))
    for statement in node.body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            setter = any(isinstance(one, ast.Attribute) and one.attr == "setter" for one in statement.decorator_list)
            if not setter:
                found.methods[statement.name] = statement
        elif isinstance(statement, ast.Assign):
            found.constants.update({one.id: statement.value for one in statement.targets if isinstance(one, ast.Name)})
        elif isinstance(statement, ast.AnnAssign) and statement.value and isinstance(statement.target, ast.Name):
            found.constants[statement.target.id] = statement.value
    return found


def _look(node: ast.AST, found: Index) -> None:
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.asname:
                found.imports[alias.asname] = alias.name
            else:
                found.imports[alias.name.split(".")[0]] = alias.name.split(".")[0]
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            found.imports[alias.asname or alias.name] = f"{node.module or ''}.{alias.name}"
    elif isinstance(node, ast.Call):
        _look_at_call(node, found)
    elif isinstance(node, ast.Assign) and not (isinstance(node.value, ast.Constant) and node.value.value is None):
        targets = [one for target in node.targets for one in ast.walk(target)]
        found.assigned |= {one.attr for one in targets if isinstance(one, ast.Attribute)}
        found.paths |= {dotted(one) for one in targets if isinstance(one, ast.Attribute)}
    elif isinstance(node, ast.AugAssign):
        found.counted.add(terminal(node.target))
        found.paths.add(dotted(node.target))
        found.assigned.add(terminal(node.target))
    elif isinstance(node, ast.Attribute) and node.attr == "require_backward_grad_sync":
        found.used.setdefault(terminal(node.value), set()).add(node.attr)
    elif isinstance(node, ast.arg) and node.annotation is not None:
        _annotate(node.arg, node.annotation, found)
    elif isinstance(node, ast.AnnAssign):
        _annotate(terminal(node.target), node.annotation, found)


def _annotate(name: str, annotation: ast.expr, found: Index) -> None:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        words = annotation.value.replace("|", " ").replace("[", " ").replace("]", " ").replace(".", " ").split()
    elif isinstance(annotation, ast.Subscript) and terminal(annotation.value) in ("List", "list", "Dict", "dict"):
        return
    else:
        words = [one.attr if isinstance(one, ast.Attribute) else one.id for one in ast.walk(annotation)
                 if isinstance(one, (ast.Attribute, ast.Name))]  # fmt: skip
    for word in words:
        if word in ANNOTATIONS:
            found.annotated.setdefault(name, ANNOTATIONS[word])
            return


def _look_at_call(node: ast.Call, found: Index) -> None:
    function = node.func
    if not isinstance(function, ast.Attribute):
        return
    owner, name = terminal(function.value), function.attr
    found.used.setdefault(owner, set()).add(name)
    if name == "backward":
        subject = node.args[0] if owner and node.args and not found_loss(function.value) else function.value
        found.losses.update(_loss_names(subject))
        found.losses.update(_loss_names(function.value))
        for argument in node.args:
            found.losses.update(_loss_names(argument))
    elif name in ("scale", "manual_backward", "update_params"):
        for argument in node.args[:1]:
            found.losses.update(_loss_names(argument))
    elif name == "unscale_" or (name == "step" and node.args and "scaler" in owner):
        for argument in node.args[:1]:
            found.used.setdefault(terminal(argument), set()).update(("zero_grad", "step"))
    elif name == "add_argument":
        _look_at_argument(node, found)


def found_loss(node: ast.expr) -> bool:
    """Whether the receiver of `backward` is the loss itself and not an engine or accelerator."""
    return by_spelling(terminal(node)) is None


def _loss_names(node: ast.expr) -> set[str]:
    """The names under the arithmetic of a loss; what a call is given is none."""
    if isinstance(node, ast.Name):
        return {node.id}
    if isinstance(node, ast.Attribute):
        return {node.attr}
    if isinstance(node, ast.BinOp):
        return _loss_names(node.left) | _loss_names(node.right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return _loss_names(node.func.value) if node.func.attr in ("mean", "sum", "div", "mul", "scale") else set()
    return set()


def _look_at_argument(node: ast.Call, found: Index) -> None:
    """`parser.add_argument("--accum-steps", default=4)`."""
    names = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    values = [one.value for one in node.keywords if one.arg == "default"]
    if values and isinstance(values[0], ast.Constant):
        for name in names:
            found.defaults[name.lstrip("-").replace("-", "_")] = values[0].value


def every_function(found: Index) -> dict[str, list[Function]]:
    """All functions (`name`), nested ones too, and methods (`.name`)."""
    table: dict[str, list[Function]] = {}
    for name, function in found.functions.items():
        table.setdefault(name, []).append(function)
    methods = set()
    for one in found.classes.values():
        for name, function in one.methods.items():
            table.setdefault(f".{name}", []).append(function)
            methods.add(function)
    for node in ast.walk(found.tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or node in methods:
            continue
        if node.name not in found.functions:
            table.setdefault(node.name, []).append(node)
    return table


def called(node: ast.AST) -> set[str]:
    """Everything called in `node`: `name` for functions, `.name` for methods."""
    found: set[str] = set()
    for one in ast.walk(node):
        if isinstance(one, ast.Call):
            name = terminal(one.func)
            found.add(f".{name}" if isinstance(one.func, ast.Attribute) else name)
            if isinstance(one.func, ast.Name):
                found.add("." + CALLED)
        elif isinstance(one, ast.FormattedValue):
            continue
    return found


CALLED = "__call__"


def _close(found: Index) -> None:
    """Which functions gate: they hold a lifecycle call, or call one of the file that does."""
    table = every_function(found)
    calls = {name: set().union(*(called(one) for one in nodes)) for name, nodes in table.items()}
    stores = {
        name
        for name, nodes in table.items()
        for node in nodes
        for one in ast.walk(node)
        if isinstance(one, ast.Attribute)
        and isinstance(one.ctx, ast.Store)
        and one.attr in ("grad", "require_backward_grad_sync")
    }
    for names in calls.values():
        names.discard("." + CALLED)
    wanted = _dotted(LIFECYCLE) | LIFECYCLE | BUILDERS | _dotted(BUILDERS)
    marked = {name for name, names in calls.items() if names & wanted} | stores
    found.gating = _closure(marked - {".forward"}, calls, found)
    scalers = {terminal(one.func) for one in ast.walk(found.tree) if isinstance(one, ast.Call) and calls_scaler(one)}
    backs = _dotted(BACKWARD) | scalers
    found.backing = _closure({name for name, names in calls.items() if names & backs}, calls, found) | scalers
    found.gating |= scalers
    stepping = {name for name, nodes in table.items() if any(_steps(one, found) for one in nodes)}
    found.stepping = _closure(stepping, calls, found) - {".train", ".eval", ".step", ".update"}
    switching = {name for name, names in calls.items() if ".eval" in names}
    if all(_keeps_parts(node) for node in table.get(".train", ())):
        switching.discard(".train")
    found.switching = _closure(switching, calls, found) - {".eval"}


def _keeps_parts(node: ast.AST) -> bool:
    """Whether a `train` of a module leaves evaluation mode on for parts of itself only: `self.stem.eval()`."""
    evals = [
        one.func.value
        for one in ast.walk(node)
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr == "eval"
    ]
    return all(isinstance(one, ast.Attribute) and terminal(one.value) == "self" for one in evals)


def calls_scaler(node: ast.Call) -> bool:
    """`loss_scaler(loss, optimizer, ...)`, timm's way: backward, clip and step in one call."""
    return isinstance(node.func, ast.Name) and "scaler" in node.func.id.lower() and len(node.args) >= 2


def _dotted(names: frozenset[str]) -> set[str]:
    return {f".{name}" for name in names}


def _closure(marked: set[str], calls: dict[str, set[str]], found: Index) -> set[str]:
    """Add every function that calls a marked one."""
    quiet = {".forward"}
    while True:
        classes = {
            one.name
            for one in found.classes.values()
            for name in ("__init__", CALLED)
            if f".{name}" in marked and name in one.methods
        }
        more = {name for name, names in calls.items() if names & (marked | classes)} - marked - quiet
        if not more:
            return marked | classes
        marked = marked | more


def _steps(node: ast.AST, found: Index) -> bool:
    """Whether an optimizer steps here: a scheduler does not count."""
    return any(
        isinstance(one, ast.Call)
        and isinstance(one.func, ast.Attribute)
        and one.func.attr in ("step", "first_step", "second_step")
        and found.role(terminal(one.func.value)) != "scheduler"
        for one in ast.walk(node)
    )
