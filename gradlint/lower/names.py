"""Names: what an import made of them, and which role their use and their spelling suggest.

Evidence for a role, strongest first: the constructor (seen when the dry run executes it), the
annotation, the protocol of use (`x.zero_grad()` and `x.step()`), then the spelling.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import field
from functools import lru_cache

from gradlint.libraries.conventions.numbers import LOSS_NAME
from gradlint.libraries.conventions.roles import CONFIG_NAME, NAME_HINTS, NOT_AN_OBJECT
from gradlint.libraries.own import TOLD_EFFECTS, TOLD_ROLES
from gradlint.libraries.packages import trained_with
from gradlint.libraries.tables import CALLS
from gradlint.lower.beyond import NOTHING as NOTHING_BEYOND
from gradlint.lower.beyond import Beyond
from gradlint.lower.outline import Outline
from gradlint.model.effects import Effect
from gradlint.model.pattern import pattern
from gradlint.model.record import dataclass
from gradlint.model.roles import NOTHING_UNCALLED, Role
from gradlint.model.told import NOTHING, Told
from gradlint.syntax.nodes import walk

_ANNOTATIONS = {
    "Optimizer": Role.OPTIMIZER,
    "GradScaler": Role.SCALER,
    "Module": Role.MODEL,
    "DistributedDataParallel": Role.MODEL,
    "DataLoader": Role.LOADER,
    "Accelerator": Role.ACCELERATOR,
    "Fabric": Role.FABRIC,
    "LRScheduler": Role.SCHEDULER,
    "_LRScheduler": Role.SCHEDULER,
    "DeepSpeedEngine": Role.ENGINE,
    "DistributedSampler": Role.SAMPLER,
}

_OF_A_NETWORK = frozenset({"parameters", "named_parameters", "train", "eval", "zero_grad"})
"""What is called on what has parameters of its own."""

_TELLING = (
    re.compile(
        rb"\.[\s\\]*(?:zero_grad|step|parameters|backward|unscale_|scale|update|train|eval|param_groups|optimize"
        rb"|suggest|fit|transform|inverse_transform|fit_transform)\b"
    ),
    re.compile(
        rb"(?:args?|cfg|conf|configs?|opts?|options?|hparams?|hps?|params|flags|settings?)\.[\s\\]*\w+[\s\\]*\("
    ),
)
"""The methods and attributes that say what their owner is, and calls of what settings hold."""

_METHODS = frozenset("zero_grad step parameters backward unscale_ scale update train eval".split())
"""Those that are no method where something of theirs is asked for: `config.train.lr`, `config.eval["every"]`."""

_USES = {
    Role.OPTIMIZER: frozenset({"zero_grad", "step"}),
    Role.SCALER: frozenset({"scale", "update", "unscale_"}),
    Role.SCHEDULER: frozenset({"step"}),
    Role.MODEL: frozenset({"__call__", "parameters", "train", "eval", "zero_grad"}),
}
"""Uses that settings make of an object and not of its name."""

MOVES = frozenset({"to", "cuda", "cpu", "float", "half"})
"""Methods that hand out the network they are called on."""

_UNUSED = frozenset[str]()

_NEEDS_PROTOCOL = frozenset({"opt", "opts", "optim", "scaler"})


def dotted(node: ast.expr) -> str | None:
    """`a.b.c` for a chain of names and attributes, else `None`."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    parts.append(node.id)
    return ".".join(reversed(parts))


def spelled(node: ast.expr) -> str | None:
    """`a.b` for a chain of names, attributes and items: `a["b"]`, `a.b[0]`, `a.b[i]`; else `None`."""
    if isinstance(node, ast.Subscript):
        owner = spelled(node.value)
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        return f"{owner}.{key}" if owner and isinstance(key, str) and key.isidentifier() else owner
    if isinstance(node, ast.Attribute):
        owner = spelled(node.value)
        return None if owner is None else f"{owner}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else None


def last_name(node: ast.expr) -> str | None:
    """The last component of a name, attribute or subscript: `optimizers` for `self.optimizers[0]`."""
    if isinstance(node, ast.Name):  # as most are
        return node.id
    while isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None


def imports_of(nodes: Iterable[ast.AST]) -> dict[str, str]:
    """Local name -> qualified name, for every import among some statements; `.a` for `from . import a`.

    `name = import_module("a")` is one, too.
    """
    found: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname:
                    found[alias.asname] = alias.name
                else:
                    root = alias.name.split(".")[0]
                    found[root] = root
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            head = module if module.endswith(".") else f"{module}."
            for alias in node.names:
                found[alias.asname or alias.name] = head + alias.name
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            named = _loaded(node.value)
            found.update({target.id: named for target in node.targets if named and isinstance(target, ast.Name)})
    return found


def _loaded(call: ast.Call) -> str:
    """`engine` of `importlib.import_module("engine")`."""
    if last_name(call.func) != "import_module" or not call.args:
        return ""
    named = call.args[0]
    return named.value if isinstance(named, ast.Constant) and isinstance(named.value, str) else ""


def stars_of(nodes: Iterable[ast.AST]) -> tuple[str, ...]:
    """What star imports put in front of the names that they bring, the last first: it replaces what others bring."""
    return tuple(reversed([star for node in nodes if isinstance(node, ast.ImportFrom) and (star := star_of(node))]))


def star_of(node: ast.Import | ast.ImportFrom) -> str:
    """`a.b.` of `from a.b import *`, `.` of `from . import *`; nothing of other imports."""
    if isinstance(node, ast.Import) or all(alias.name != "*" for alias in node.names):
        return ""
    module = "." * node.level + (node.module or "")
    return module if module.endswith(".") else f"{module}."


_USUAL = {"torch": "torch", "nn": "torch.nn", "F": "torch.nn.functional", "optim": "torch.optim"}
"""What everybody calls torch and its parts."""

_OF_TORCH = pattern(
    rb"\b([A-Za-z_]\w*)\.(?:optim\.(?:lr_scheduler\.)?[A-Z]|nn\.(?:utils|functional|[A-Z])|no_grad\(\))"
)
"""`t.optim.Adam`, `th.nn.utils`: what only torch has."""


def starred(outline: Outline) -> dict[str, str]:
    """What star imports bring along without a word: `torch`, `nn`, or a `t` that is used as torch alone can be.

    Names that the file binds itself are none of these.
    """
    used = {name.decode(): "torch" for name in _OF_TORCH.findall(outline.data)}
    likely = {**used, **{name: what for name, what in _USUAL.items() if name.encode() in outline.data}}
    bound = set(imports_of(outline.nodes))
    for node in walk(outline.nodes[0]) if likely.keys() - bound else ():
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(node.name)
    return {name: what for name, what in likely.items() if name not in bound}


def _is_class(name: str) -> bool:
    """`Model`, `UNet`: a class; `G`, `D_A`: a network by a short name."""
    return len(name) > 2 and name[0].isupper() and name[1] != "_"


def _place(node: ast.expr) -> tuple[str, str] | None:
    """Owner and name of an item that is called by a name: `held["optimizer"]`."""
    key = node.slice.value if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) else None
    owner = last_name(node)
    return (owner, key) if owner and isinstance(key, str) and key.isidentifier() else None


@lru_cache(maxsize=20_000)
def spelled_role(name: str, *, number: bool = False) -> Role | None:
    """The role that the spelling of a name suggests; what is called like a number or a class is not just anything."""
    return next((role for pattern, role in NAME_HINTS if (not number or role in _OF_NUMBERS) and pattern[name]), None)


_OF_NUMBERS = (Role.SCHEDULER, Role.CRITERION)


@dataclass(slots=True)
class Uses:
    """How names are used in one file: what their roles are told by.

    Attributes:
        protocol: the methods that are called on a name.
        stepped: what is stepped by a scaler, or unscaled.
        made: what torch's own optimizers are called.
        settings: what is called on what settings hold, by their name and its own.
        items: the same of what stands under a text in something.
    """

    protocol: dict[str, set[str]] = field(default_factory=dict)
    stepped: set[str] = field(default_factory=set)
    made: set[str] = field(default_factory=set)
    settings: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    items: dict[tuple[str, str], set[str]] = field(default_factory=dict)


@dataclass
class Names:
    """Everything known of the names of one file."""

    imports: dict[str, str]
    uses: Uses = field(default_factory=Uses)
    defined: frozenset[str] = frozenset()
    scalers: frozenset[str] = frozenset()
    wrappers: Mapping[str, Effect] = field(default_factory=dict)
    told: Told = NOTHING
    stars: tuple[str, ...] = ()
    beyond: Beyond = NOTHING_BEYOND
    _hints: dict[str, Role | None] = field(default_factory=dict)

    @classmethod
    def of(cls, outline: Outline) -> Names:
        """Collect imports, definitions, and which methods that say something are called on which name."""
        names = cls(imports_of(outline.nodes))
        if "*" in names.imports:
            names.stars = stars_of(outline.nodes)
            names.imports.update(starred(outline))
        names.defined = frozenset(
            node.name
            for node in outline.nodes
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        )
        asked: set[ast.expr] = set()
        for node in outline.naming(*_TELLING):  # what is around a node comes before it
            if isinstance(node, (ast.Attribute, ast.Subscript)):
                asked.add(node.value)
            if isinstance(node, ast.Attribute):
                if not (node in asked and node.attr in _METHODS):
                    names._use(node)
            elif isinstance(node, ast.Call):
                names._stepped(node)
                names._settings(node.func, "__call__")
        for node in outline.nodes:
            if isinstance(node, ast.Assign) and isinstance(node.value, (ast.Subscript, ast.Call)):
                names._taken(node.targets[0], node.value)
                names._made(node.targets[0], node.value)
        return names

    def _use(self, node: ast.Attribute) -> None:
        """`net.train()`, `optimizer.param_groups`: what is asked of a name."""
        name = last_name(node.value)
        if name and not self._item(node.value, node.attr):
            self.uses.protocol.setdefault(name, set()).add(node.attr)
            self._settings(node.value, node.attr)

    def _made(self, target: ast.expr, value: ast.expr) -> None:
        """`inner = torch.optim.SGD(...)`: what one of torch's own optimizers is called."""
        qualified = self.qualified(value.func) if isinstance(value, ast.Call) else None
        if qualified is None or not qualified.startswith("torch.optim.") or isinstance(target, ast.Subscript):
            return
        effect = CALLS.get(f"*.{qualified.rpartition('.')[2]}")
        if effect is not None and effect.role is Role.OPTIMIZER:
            self.uses.made.add(last_name(target) or "")

    def _taken(self, target: ast.expr, value: ast.expr) -> None:
        """`self.optimizer = kwargs["optimizer"]`: an item that gets a variable of its own is used under that name."""
        while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in MOVES:
            value = value.func.value
        place, name = _place(value), last_name(target)
        role = self.hint(name) if place is not None and name and not isinstance(target, ast.Subscript) else None
        if place is None or role is None or name is None or spelled_role(place[1]) is not role:
            return
        used = self.uses.protocol.get(name, set()) & _USES.get(role, frozenset())
        if name in self.uses.stepped:
            used = used | {"step"}
        if used:
            self.uses.items.setdefault(place, set()).update(used)

    def _settings(self, node: ast.expr, used: str) -> None:
        """`args.model(x)`, `args.optimizer.step()`: what settings hold is used as more than a name."""
        owner = last_name(node.value) if isinstance(node, ast.Attribute) else None
        if isinstance(node, ast.Attribute) and owner is not None and CONFIG_NAME.search(owner):
            self.uses.settings.setdefault((owner, node.attr), set()).add(used)

    def _item(self, node: ast.expr, used: str) -> bool:
        """`held["optimizer"].step()`: an item is used as what it is called, which says nothing of what holds it."""
        place = _place(node)
        role = spelled_role(place[1]) if place is not None else None
        if place is None or role is None or used not in _USES.get(role, ()):
            return False
        self.uses.items.setdefault(place, set()).add(used)
        return True

    def item_hint(self, node: ast.Subscript) -> Role | None:
        """The role of an item by its name (`held["optimizer"]`), where it is used like that."""
        place = _place(node)
        return spelled_role(place[1]) if place in self.uses.items and place is not None else None

    def role_of(self, node: ast.expr) -> Role | None:
        """The role that the name of a variable, an attribute or an item suggests."""
        item = self.item_hint(node) if isinstance(node, ast.Subscript) else None
        return item or self.hint(last_name(node) or "")

    def _stepped(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("step", "unscale_") and node.args:
            receiver = last_name(node.func.value) or ""
            if "scaler" in receiver.lower() or node.func.attr == "unscale_":
                name = last_name(node.args[0])
                if name and not self._item(node.args[0], "step"):
                    self.uses.stepped.add(name)

    def brought(self, name: str) -> str | None:
        """What an import made of a name."""
        imported = self.imports.get(name)
        if imported is None and self.stars and name not in self.defined:
            return self.beyond.starred(name)
        return imported

    def qualified(self, node: ast.expr) -> str | None:
        """The qualified name of a dotted expression that begins with an import."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        imported = self.brought(node.id) if isinstance(node, ast.Name) else None
        if imported is None or not parts:
            return imported
        return ".".join((imported, *reversed(parts)))

    def told_effect(self, func: ast.expr) -> Effect | None:
        """What somebody has told that a call does."""
        for name in (spelled(func), self.qualified(func)):
            role = self.told.role(name) if name else ""
            if role in TOLD_EFFECTS:
                return TOLD_EFFECTS[role]
        return None

    @property
    def library(self) -> str:
        """The library that a file trains with instead of torch, as far as its imports tell; empty for torch."""
        return trained_with(self.imports.values())

    def attribute_hint(self, owner: str | None, name: str) -> Role | None:
        """The same for an attribute; settings (`args.model`) only name things, unless they are used as these."""
        if owner is None or not CONFIG_NAME[owner]:
            return self.hint(name)
        used = self.uses.settings.get((owner, name))
        role = self.hint(name) if used else None
        return role if used and role is not None and used & _USES.get(role, frozenset()) else None

    def hint(self, name: str) -> Role | None:
        """The role that protocol and spelling suggest for a name."""
        if name not in self._hints:
            self._hints[name] = self._hint(name)
        return self._hints[name]

    def _hint(self, name: str) -> Role | None:
        if name in ("self", "cls"):
            return None
        if name in self.told.objects:
            return TOLD_ROLES[self.told.objects[name]]
        if name in self.scalers:
            return Role.SCALER_CALLABLE
        used = self.uses.protocol.get(name, _UNUSED)
        role = self._by_use(name, used) if used or name in self.uses.stepped else None
        if role is not None:
            return role
        role = spelled_role(name, number=NOT_AN_OBJECT[name] or _is_class(name))
        if role is not None:
            return role if self._believable(name, role, used) else None
        return Role.MODEL if used and ("parameters" in used or {"train", "eval"} <= used) else None

    def _by_use(self, name: str, used: AbstractSet[str]) -> Role | None:
        """The role of what has methods that nothing else has."""
        if name in self.uses.stepped or {"zero_grad", "step"} <= used or ("step" in used and name in self.uses.made):
            engine = "parameters" in used or ("backward" in used and "opt" not in name.lower())
            return Role.ENGINE if engine else Role.OPTIMIZER
        return Role.SCALER if "unscale_" in used or {"scale", "update", "step"} <= used else None

    def is_uncalled(self, node: ast.Attribute) -> bool:
        """True for `optimizer.step` and its kin, which mean nothing without parentheses."""
        role = self.role_of(node.value)
        return role is not None and node.attr in NOTHING_UNCALLED.get(role, ())

    @staticmethod
    def _believable(name: str, role: Role, used: AbstractSet[str]) -> bool:
        """Short names that mean other things elsewhere need to be used like their role."""
        bare = name.lower()
        if bare in _NEEDS_PROTOCOL or (role is Role.OPTIMIZER and "opt" in bare and "optim" not in bare):
            own = {"step", "zero_grad", "param_groups", "scale", "unscale_"}
            return bool(used & (own | {"update"} if role is Role.SCALER else own)) or bare == "optim"
        if role is Role.OPTIMIZER:
            return not used & {"optimize", "suggest"}
        return not (role is Role.SCALER and used & {"fit", "transform", "inverse_transform", "fit_transform"})

    def annotated(self, name: str, annotation: ast.expr | None) -> Role | None:
        """The role of a parameter, by its annotation, else by its name; `loss_fn: nn.Module` is no network."""
        told, spelled_so = self.annotation(annotation), self.hint(name)
        if told is Role.MODEL and not self.uses.protocol.get(name, frozenset()) & _OF_A_NETWORK:
            return Role.CRITERION if spelled_so is Role.CRITERION or LOSS_NAME.search(name) else told
        return told or spelled_so

    def annotation(self, node: ast.expr | None) -> Role | None:
        """The role of an annotation, seen through `Optional`, `X | None` and quotes."""
        if node is None:
            return None
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                node = ast.parse(node.value, mode="eval").body
            except SyntaxError:
                return None
        if isinstance(node, ast.BinOp):
            return self.annotation(node.left) or self.annotation(node.right)
        if isinstance(node, ast.Subscript):
            inner = node.slice
            outer = last_name(node.value)
            return self.annotation(inner) if outer in ("Optional", "Union") and isinstance(inner, ast.expr) else None
        if isinstance(node, ast.Tuple):
            roles = [role for part in node.elts if (role := self.annotation(part))]
            return roles[0] if roles else None
        name = last_name(node)
        if name is None:
            return None
        if name.endswith("Optimizer"):
            return Role.SCHEDULER if "lr_scheduler" in (dotted(node) or "") else Role.OPTIMIZER
        return _ANNOTATIONS.get(name)
