"""Roots: names of what parameters belong to, and whether two of them share some."""

from __future__ import annotations

from collections.abc import Set as AbstractSet


def overlaps(one: AbstractSet[str] | None, two: AbstractSet[str] | None) -> bool | None:
    """Whether two sets of parameter roots share parameters, `None` when nobody can see."""
    if not one or not two:
        return None
    return not one.isdisjoint(two) or any(_joint(a, b) for a in one for b in two)


def _joint(one: str, two: str) -> bool:
    """Whether one root is the other, or a part of it."""
    return within(one, two) or within(two, one)


def within(root: str, whole: str) -> bool:
    """Whether a root is the other, or lies in it."""
    return _alike(root, whole) or inside(root, whole)


def inside(root: str, whole: str) -> bool:
    """Whether a network is a part of the other: `net.encoder` and `net[0]`, of `net`."""
    return root.startswith((f"{whole}.", f"{whole}["))


def comprises(whole: str, root: str) -> bool:
    """Whether a network surely is the other, or has it as a part: `nets` and `nets[*]` have `nets['actor'].head`."""
    head, star, rest = whole.partition("[*]")
    if not star:
        return root == whole or inside(root, whole)
    behind = root.removeprefix(head).partition("]")[2]
    return root.startswith(f"{head}[") and (not rest or comprises(rest, behind))


def _alike(one: str, two: str) -> bool:
    """Whether two roots may be the same: `nets[*]`, each of several in turn, is `nets['actor']`, too."""
    if one == two:
        return True
    for each, other in ((one, two), (two, one)):
        whole, star, _ = each.partition("[*]")
        if star and other.startswith(f"{whole}["):
            return True
    return False


def related_parts(one: str, other: str) -> bool:
    """Whether two models are one, or one of them a part of the other: `net.encoder` or `net[0]` of `net`."""
    return one == other or inside(one, other) or inside(other, one)


def owns(params: AbstractSet[str] | None, root: str) -> bool | None:
    """Whether an optimizer that was built with parameters of these models has some of this one's; `None`: unknown."""
    if not params:
        return None
    return any(related_parts(one, root) for one in params)


def may_share(one: AbstractSet[str] | None, two: AbstractSet[str] | None) -> bool:
    """Whether two optimizers may have parameters in common."""
    return not one or not two or any(related_parts(a, b) for a in one for b in two)
