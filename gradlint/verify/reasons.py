"""Why a loop could not be judged: a closed list, so that reports can be counted."""

from __future__ import annotations

from enum import Enum


class Reason(Enum):
    """The reasons of an INCONCLUSIVE verdict. Nothing else is ever given."""

    DOES_NOT_PARSE = "does not parse"
    NO_LOOP = "no backward and step"
    FRAMEWORK = "framework owns the lifecycle"
    OPAQUE = "divisor or loss opaque"
    SURROGATE = "surrogate lost"
    BRANCH = "branch not reached"
    CONTRADICTION = "contradictory configuration"
    NO_UPDATE = "no update reached"
    ENDLESS = "non-terminating"
    LIMIT = "resource limit"
    NOT_SEPARABLE = "not separable"
    LOADER = "loader out of sight"
    WINDOW = "window never filled"
    UNSPENT = "backward reaches no update"
    UNEXPLAINED = "difference nobody explains"
    COLLECTIVE = "gradients reduced by hand"
    HAND = "gradients changed by hand"
    HOOK = "hooks on gradients"
    LINTER = "the linter is sure of a mistake"
    REFUSED = "refused"


class InconclusiveError(Exception):
    """The run cannot be judged, for one of the reasons of the list."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{reason.value}: {detail}" if detail else reason.value)
        self.reason = reason
        self.detail = detail
