"""What a test says where nothing is amiss: `torch.isfinite(norm)` is true then, `torch.isnan(loss)` is not."""

from __future__ import annotations

from gradlint.libraries.conventions.switches import AMISS_NAME, FINITE_NAME
from gradlint.model.program.expressions import Attr, Call, Const, Expr, Logic, Not, Read, Test


def ordinarily(test: Expr) -> bool | None:
    """Which way a test goes on a normal day, as the names in it say; `None` where none does."""
    if isinstance(test, Not):
        return _turned(ordinarily(test.value), round_=True)
    if isinstance(test, Logic):
        told = {ordinarily(part) for part in test.parts}
        decisive = test.op == "or"
        return decisive if decisive in told else None if told == {None} else not decisive
    if isinstance(test, Test):
        return _compared(test)
    if isinstance(test, (Read, Attr)):
        return _named(test.name)
    return _called(test) if isinstance(test, Call) else None


def _turned(way: bool | None, *, round_: bool) -> bool | None:
    return way if way is None or not round_ else not way


def _compared(test: Test) -> bool | None:
    """`found_inf == 0`, `isfinite(norm) is True`, `norm != inf`."""
    if test.op not in _EQUAL:
        return None
    if isinstance(test.right, Const) and test.right.value in (0, 1):
        return _turned(ordinarily(test.left), round_=bool(test.right.value) is not _EQUAL[test.op])
    return _turned(ordinarily(test.right), round_=not _EQUAL[test.op])


_EQUAL = {"==": True, "is": True, "!=": False, "is not": False}


def _called(call: Call) -> bool | None:
    """`isfinite(norm)`, `torch.isfinite(x).all()`, `torch.all(torch.isfinite(x))`, `bool(...)`."""
    func = call.func
    known = _named(func.name) if isinstance(func, (Read, Attr)) else None
    if known is None and isinstance(func, Attr):
        known = ordinarily(func.base)
    return next((way for way in map(ordinarily, call.args) if way is not None), None) if known is None else known


def _named(name: str) -> bool | None:
    if AMISS_NAME.search(name):
        return False
    return True if FINITE_NAME.search(name) else None
