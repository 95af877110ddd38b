"""Calls that Python would refuse: a method that takes other arguments than it is given is called by somebody else.

class Base:
    def fit(self, ...):
        self.train_epoch(epoch, loader, optimizer, criterion, scaler)

class Older(Base):
    def train_epoch(self, epoch, conf, loader, optimizer, criterion, scaler): ...    one more
"""

from __future__ import annotations

from gradlint.interpret.effects.use import Site
from gradlint.model.program import Function, Star


def fits(function: Function, site: Site, *, bound: bool) -> bool:
    """Whether a function can be called with these arguments; a decorator may have changed what it takes."""
    if function.decorators or any(isinstance(part, Star) for part in site.node.args):
        return True
    if any(name.startswith("**") for name in site.keywords):
        return True
    plain = [one for one in function.parameters if not one.star][1 if bound else 0 :]
    open_ended = any(one.star == "*" for one in function.parameters)
    required = [one for one in plain[len(site.args) :] if one.default is None]
    return (open_ended or len(site.args) <= len(plain)) and all(one.name in site.keywords for one in required)
