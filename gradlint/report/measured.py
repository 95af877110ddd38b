"""How often each rule was right about real code: findings that somebody has read, counted."""

from __future__ import annotations

from gradlint.model.record import dataclass
from gradlint.report.measured_table import TABLE

NOBODY = "not measured yet"


@dataclass(frozen=True, slots=True)
class Measured:
    """The findings of one rule that were read: how many were right, wrong, or could be argued about; and when last.

    Attributes:
        right: how many were right.
        wrong: how many were not.
        debatable: how many could be argued about.
        date: when the last was read, or "".
        right_gone: how many of the right ones this version no longer says.
        wrong_gone: how many of the wrong ones it no longer says.
    """

    right: int
    wrong: int
    debatable: int
    date: str
    right_gone: int = 0
    wrong_gone: int = 0

    @property
    def read(self) -> int:
        """How many count: those that can be argued about count neither way."""
        return self.right + self.wrong

    @property
    def share(self) -> float | None:
        """The share that was right, if any count."""
        return self.right / self.read if self.read else None

    @property
    def said(self) -> int:
        """How many of those that count are still said."""
        return self.read - self.right_gone - self.wrong_gone

    @property
    def now(self) -> float | None:
        """The share that was right of those that are still said, if any is."""
        return (self.right - self.right_gone) / self.said if self.said else None

    @property
    def changed(self) -> bool:
        """Whether a finding that was read is no longer said."""
        return bool(self.right_gone or self.wrong_gone)

    def short(self) -> str:
        """`92 % of 13`, or `82 % of 17, now 93 % of 15`."""
        if self.share is None:
            return NOBODY
        first = f"{_percent(self.share)} of {self.read}"
        if not self.changed:
            return first
        return f"{first}, now {'none said' if self.now is None else f'{_percent(self.now)} of {self.said}'}"

    def sentence(self) -> str:
        """The same for a reader who wants to know how it was counted."""
        argued = f", and {self.debatable} could be argued about" if self.debatable else ""
        if self.share is None:
            return f"Not measured yet: none of its findings in real code was read{argued}."
        count = f"Findings in real code that were read: {self.right} of {self.read} right ({_percent(self.share)})"
        return f"{count}{argued}; the last of them on {self.date}.{self._since()}"

    def _since(self) -> str:
        """What became of them."""
        if not self.changed:
            return ""
        gone = (
            f" This version no longer says {self.wrong_gone} of the wrong ones and {self.right_gone} of the right ones"
        )
        if self.now is None:
            return f"{gone}: none is left."
        return (
            f"{gone}: of what is left, {self.right - self.right_gone} of {self.said} are right ({_percent(self.now)})."
        )


def _percent(share: float) -> str:
    """`92 %`."""
    return f"{100 * share:.0f} %"


NOTHING = Measured(0, 0, 0, "")


def measured(rule: str) -> Measured:
    """What is known of a rule."""
    return Measured(*TABLE[rule]) if rule in TABLE else NOTHING
