"""How often each rule was right about real code: findings that somebody has read, counted."""

from __future__ import annotations

from dataclasses import dataclass

from gradlint.measured_table import TABLE

NOBODY = "not measured yet"


@dataclass(frozen=True, slots=True)
class Measured:
    """The findings of one rule that were read: how many were right, wrong, or could be argued about; and when last."""

    right: int
    wrong: int
    debatable: int
    date: str

    @property
    def read(self) -> int:
        """How many count: those that can be argued about count neither way."""
        return self.right + self.wrong

    @property
    def share(self) -> float | None:
        """The share that was right, if any count."""
        return self.right / self.read if self.read else None

    def short(self) -> str:
        """`92 % of 13`."""
        return NOBODY if self.share is None else f"{100 * self.share:.0f} % of {self.read}"

    def sentence(self) -> str:
        """The same for a reader who wants to know how it was counted."""
        argued = f", and {self.debatable} could be argued about" if self.debatable else ""
        if self.share is None:
            return f"Not measured yet: none of its findings in real code was read{argued}."
        count = f"Findings in real code that were read: {self.right} of {self.read} right ({100 * self.share:.0f} %)"
        return f"{count}{argued}; the last of them on {self.date}."


NOTHING = Measured(0, 0, 0, "")


def measured(rule: str) -> Measured:
    """What is known of a rule."""
    return Measured(*TABLE[rule]) if rule in TABLE else NOTHING
