"""The whitelist: what may stand in code that the machine is going to walk. Checked before anything runs.

Nothing of a loop is ever executed by Python itself, so this is the second line of defence, not the first: a loop
that starts processes, evaluates text or reaches into the interpreter is refused as a whole.
"""

from __future__ import annotations

import ast

from gradlint.verify.reasons import InconclusiveError, Reason
from gradlint.verify.slice.index import Index, called, dotted

ALLOWED: tuple[type[ast.AST], ...] = (
    ast.stmt, ast.expr, ast.expr_context, ast.operator, ast.boolop, ast.unaryop, ast.cmpop, ast.comprehension,
    ast.arguments, ast.arg, ast.keyword, ast.alias, ast.withitem, ast.excepthandler, ast.match_case, ast.pattern,
    ast.Module,
)  # fmt: skip
REFUSED_NODES = (ast.Await, ast.AsyncFor, ast.AsyncWith)

REFUSED_CALLS = frozenset(
    """eval exec __import__ breakpoint os.system os.popen os.fork os.forkpty os.kill os.killpg
    os.execv os.execve os.execvp os.execl os.execlp os.spawnl os.spawnv os.posix_spawn os.abort
    subprocess.run subprocess.call subprocess.Popen subprocess.check_call subprocess.check_output subprocess.getoutput
    pty.spawn ctypes.CDLL ctypes.cdll.LoadLibrary builtins.eval builtins.exec socket.socket
    socket.create_connection multiprocessing.Process urllib.request.urlopen""".split()
)
BUILTIN = frozenset("eval exec breakpoint".split())
"""A parameter may have such a name; to call it is another matter."""

DUNDERS = frozenset(
    """__init__ __call__ __name__ __class__ __len__ __iter__ __next__ __getitem__ __enter__ __exit__ __file__
    __main__ __dict__ __version__ __doc__ __all__ __setitem__ __contains__ __str__ __repr__ __del__ __eq__
    __hash__ __annotations__ __getattr__ __module__ __path__ __spec__ __post_init__ __setattr__ __bool__
    __add__ __radd__ __lt__ __gt__ __new__ __format__ __truediv__ __mul__ __sub__ __neg__ __float__ __int__
    __abs__ __setstate__ __getstate__ __missing__ __qualname__ __torch_function__ __slots__ __delitem__
    __copy__ __deepcopy__ __reduce__ __ne__ __ge__ __le__ __class_getitem__ __init_subclass__ __set_name__
    __call_impl__ __package__ __author__ __wrapped__""".split()
)


def check(nodes: list[ast.AST], found: Index) -> None:
    """Refuse code that must not even be looked at while it runs.

    Raises:
        InconclusiveError: with the line of what is refused.
    """
    hot = _called_in_loops(nodes, found)
    for root in nodes:
        cold = isinstance(root, (ast.FunctionDef, ast.AsyncFunctionDef)) and root.name not in hot
        quiet = cold and not found.gates(root)
        for node in ast.walk(root):
            _check_node(node, found, quiet=quiet)


def _called_in_loops(nodes: list[ast.AST], found: Index) -> set[str]:
    """The simple names of what loops call that work on gradients."""
    loops = [one for root in nodes for one in ast.walk(root) if isinstance(one, (ast.For, ast.While))]
    return {name.lstrip(".") for one in loops if found.gates(one) for name in called(one)}


def _check_node(node: ast.AST, found: Index, *, quiet: bool) -> None:
    """`quiet`: the function has nothing to do with gradients, and no loop calls it; what it starts is not looked at."""
    row = getattr(node, "lineno", 0)
    if not isinstance(node, ALLOWED) or isinstance(node, REFUSED_NODES):
        raise InconclusiveError(Reason.REFUSED, f"line {row}: {type(node).__name__} is not supported")
    if isinstance(node, (ast.Name, ast.Attribute)):
        name = node.id if isinstance(node, ast.Name) else node.attr
        if name.startswith("__") and name.endswith("__") and name.islower() and name not in DUNDERS:
            raise InconclusiveError(Reason.REFUSED, f"line {row}: the name {name}")
        full = qualified(node, found)
        if full in REFUSED_CALLS and full not in BUILTIN and not quiet:
            raise InconclusiveError(Reason.REFUSED, f"line {row}: {full} is never run")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not quiet:
        full = qualified(node.func, found)
        if full in BUILTIN and full not in found.functions:
            raise InconclusiveError(Reason.REFUSED, f"line {row}: {full} is never run")


def innocent(node: ast.stmt) -> bool:
    """Whether nothing in a definition of another file would have the loop refused: such a one is not followed."""
    found = Index(ast.Module([node], []))
    try:
        for one in ast.walk(node):
            _check_node(one, found, quiet=False)
    except InconclusiveError:
        return False
    return True


def qualified(node: ast.expr, found: Index) -> str:
    """The dotted name with imports resolved: `os.system` for `from os import system as s; s`."""
    text = dotted(node)
    head, dot, rest = text.partition(".")
    return f"{found.imports.get(head, head)}{dot}{rest}"
