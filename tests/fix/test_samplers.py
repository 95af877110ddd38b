"""Whether a file shows that a name is `None` or a `DistributedSampler`, and nothing else."""

from __future__ import annotations

import ast

import pytest

from gradlint.fix.samplers import asked_first, none_or_sampler

HEAD = """
def made(data):
    if not ready():
        return None
    return DistributedSampler(data)


def other(data):
    return RandomSampler(data), 3


@cached
def kept(data):
    return made(data)


def fit(data, given):
"""
SHOWN = {
    "a choice": "sampler = DistributedSampler(data) if ready() else None",
    "a function of the file": "sampler = made(data)",
    "two assignments": "sampler = None\n    if ready():\n        sampler = DistributedSampler(data)",
}
HIDDEN = {
    "always one": "sampler = DistributedSampler(data)",
    "another kind": "sampler = RandomSampler(data) if ready() else None",
    "unpacked later": "sampler = made(data)\n    sampler, size = other(data)",
    "taken by a loop": "sampler = made(data)\n    for sampler in data:\n        pass",
    "entered": "sampler = made(data)\n    with open(data) as sampler:\n        pass",
    "a decorated function": "sampler = kept(data)",
    "a parameter": "given = made(data)",
    "of another function": "print(data)",
}


def written(body: str) -> tuple[ast.Module, int]:
    text = f"{HEAD}    {body}\n    if sampler is not None:\n        sampler.set_epoch(0)\n"
    return ast.parse(text), text.count("\n")


@pytest.mark.parametrize("body", SHOWN.values(), ids=SHOWN)
def test_it_is_none_or_a_sampler(body: str) -> None:
    tree, row = written(body)
    assert none_or_sampler(tree, "sampler", row)
    assert asked_first(tree, [row])


@pytest.mark.parametrize("body", HIDDEN.values(), ids=HIDDEN)
def test_it_may_be_anything(body: str) -> None:
    tree, row = written(body)
    name = "given" if body.startswith("given") else "sampler"
    assert not none_or_sampler(tree, name, row)
    assert not asked_first(tree, [row])


def test_what_is_not_asked_may_be_none() -> None:
    tree = ast.parse(f"{HEAD}    sampler = made(data)\n    sampler.set_epoch(0)\n")
    assert not asked_first(tree, range(1, 40))
