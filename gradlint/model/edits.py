"""The closed vocabulary of repairs: what a rule may ask to have done to the source.

A rule names edits by the places it saw (`Span`s of calls and guards); it never sees the text around
them. `gradlint.fix` carries them out on whole statements, with the comments that belong to them.

    Repair("Clip before the step", (Move((clip.span,), step.span),))

Several repairs of one finding are alternatives, the best first.
"""

from __future__ import annotations

from typing import TypeAlias

from gradlint.model.finding import Line, Span
from gradlint.model.record import dataclass


@dataclass(frozen=True, slots=True)
class Move:
    """Move the statements that hold `what`, in their order, before (or after) the one that holds `to`.

    `whole` takes an `if` along that guards nothing else; `last` moves to the end of the suite of `to`;
    `out` moves to the end of the loop around them, under the conditions that they leave. With `ways` they go to the end
    of the suite, and before each `continue`, `break` or `return` behind the `step` that would leave them out.
    Where `what` are calls of helpers, `only` are the places in these that are meant: a helper that does more stays.
    With `foremost` they go first into the branch in which that of `to` stands: what it has before that reads them.
    """

    what: tuple[Span, ...]
    to: Span
    after: bool = False
    whole: bool = True
    last: bool = False
    out: bool = False
    only: tuple[Span, ...] = ()
    step: Span | None = None
    ways: bool = False
    foremost: bool = False


@dataclass(frozen=True, slots=True)
class Insert:
    """Insert a statement.

    `where`: `before` or `after` the statement that holds `to`; at the `end` of its suite; `first` in
    the loop at `to`; first in the `loop` around `to`, or in the `epoch` loop around that one;
    `before loop` or `after loop`; or in the `if` at `to`, before it goes on or returns (`leave`). In `code`, `{target}`
    is the loop's variable and `{loader}` the loader that was given a `DistributedSampler`; `{number}` is that of a pass
    in all loops `over` it, the outermost first, and `{count}` a new name that counts them. Code whose first line is in
    the words of a helper names the `calls` that lead there: it is written as they hand it in. What stands for a
    statement `of` another place reads nothing that the loops around that one set. What is meant for `each` turn of the
    loop around a place gets such a loop of its own. What comes `behind` a place goes in front of all behind that which
    the statement at `to` hangs on, be it a number that it is given; where it is `to` itself, of all in its function.
    """

    code: str
    to: Span
    where: str = "before"
    calls: tuple[Span, ...] = ()
    of: Span | None = None
    each: Span | None = None
    behind: Span | None = None
    over: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Delete:
    """Delete the statement that holds `what`."""

    what: Span


@dataclass(frozen=True, slots=True)
class Replace:
    """Replace an expression.

    Where `what` is the call of a method that an object has around an optimizer, `inner` is the step in it: in `code`,
    `{receiver}` is that object, which has to have an optimizer's `param_groups`.
    """

    what: Span
    code: str
    inner: Span | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """Add the parentheses to a method that is only named."""

    what: Span


@dataclass(frozen=True, slots=True)
class Iterate:
    """Put the value assigned to the name that the call at `what` is given first into `list(...)`.

    Only where nothing can change what it gives before it is first used, or else `anyway`; or `late`, just before that.
    With `anew` the call is given what the name was assigned, each time: a filter lets through what is trained by then.
    """

    what: Span
    late: bool = False
    anyway: bool = False
    anew: bool = False


@dataclass(frozen=True, slots=True)
class Measure:
    """Have the clip at `what` only measure, and clip in front of the statements that hold `to`.

    Where `what` is the call of a helper, `inner` is the clip in it.
    """

    what: Span
    to: tuple[Span, ...]
    inner: Span | None = None


@dataclass(frozen=True, slots=True)
class Argument:
    """Give the `cls(...)` that was assigned to `target` a keyword argument."""

    target: str
    cls: str
    name: str
    code: str


@dataclass(frozen=True, slots=True)
class Loss:
    """Replace the loss in a backward call: `pattern` holds it as `{}` (`{} / {window}`, `scaler.scale({})`).

    `{window}` is what the guard at `boundary` counts to, or a counted loop around the backward.
    """

    backward: Span
    pattern: str
    boundary: Span | None = None
    taken: bool = True


@dataclass(frozen=True, slots=True)
class Undivide:
    """Take the division out of the loss in a backward call."""

    backward: Span


@dataclass(frozen=True, slots=True)
class Divisor:
    """Divide the loss of a backward call by the window instead of what it is divided by."""

    backward: Span
    boundary: Span | None
    taken: bool = True


@dataclass(frozen=True, slots=True)
class Detach:
    """Detach the loss in the statement that keeps it, or (`given`) in the call that hands it to who does.

    `parts` are the items of the tuple that is kept, or of a dictionary, of which "all" or "some" `entries` are losses.
    What may be a plain number is `asked` whether it is a tensor.
    """

    what: Span
    given: bool = False
    parts: tuple[int, ...] = ()
    entries: str = ""
    asked: bool = False


@dataclass(frozen=True, slots=True)
class HandOver:
    """Detach the loss of a backward call where its function returns it: nobody goes back from it again."""

    backward: Span


@dataclass(frozen=True, slots=True)
class Modulus:
    """Move the left side of the modulus in a guard by one, up or down; up also makes `>=` of `>`, and `<=` of `<`.

    With `here`, the guard asks for itself what it had under a name, which stays as it is for all others.
    """

    guard: Span
    by: int
    here: bool = False


@dataclass(frozen=True, slots=True)
class Tail:
    """Let a guard be true at the end of the loader, too; or, `behind` the loop, do then what it guards."""

    guard: Span
    behind: bool = False


@dataclass(frozen=True, slots=True)
class Enclose:
    """Put the statements from the one that holds `first` to the one that holds `last` under `if` or `with`."""

    first: Span
    last: Span
    header: str


@dataclass(frozen=True, slots=True)
class Quiet:
    """Switch gradients off for the statement behind `mode` that holds `forward`, and nothing that needs them.

    `busy` are places that do, and `asking` the lines of functions that ask for gradients by themselves. Or for the
    simple statement of `forward` alone.
    """

    mode: Span
    forward: Span
    busy: tuple[Span, ...] = ()
    asking: frozenset[Line] = frozenset()
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Choose:
    """Carry out a change in a statement only where `test` holds; its old shape stays as the `else`.

    `then` is a statement that follows the changed one.
    """

    test: str
    change: Loss | Replace
    then: str = ""


@dataclass(frozen=True, slots=True)
class Lend:
    """Carry out a change in a function that asks for something which only some of its callers hand in.

    It is a new last parameter there, called `name` or something like it, as all `{lent}` in the change are, and is
    `default` for all other callers. What it does `inside` goes with that.
    """

    name: str
    change: Choose | Enclose
    inside: tuple[Insert, ...] = ()
    default: str = "None"


@dataclass(frozen=True, slots=True)
class HandIn:
    """Hand a function what it is lent, by the name of its parameter, in a `call`; `inner` is a place in that function.

    `code` is in the words of where the first of the calls `through` which it is known stands. Without it the function
    around the call is lent the same, and hands it on, by default what all others do not hand in. Where the function is
    not `fresh` it has that parameter already.
    """

    call: Span
    inner: Span
    name: str
    code: str = ""
    through: tuple[Span, ...] = ()
    fresh: bool = True
    default: str = "None"


@dataclass(frozen=True, slots=True)
class NoSync:
    """Put the statements from `first` to `last` under `model.no_sync()`, save at the boundary.

    The boundary is the condition of the guard at `boundary`, or its opposite if it is passed when
    false; without a guard, a counted loop around `first` gives it (`k == n - 1`). With `rest` the last one of that
    loop is a boundary, too: what is left then is used behind it. With `asks` a model without that method goes without.
    """

    first: Span
    last: Span
    model: str
    boundary: Span | None
    taken: bool = True
    rest: bool = False
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Leave:
    """Move the statement that holds `first`, and those after it, out of the `with` around them.

    Where `also` says which backwards run in such a `with`, all that stand in this one leave it together, with what
    is between them; with `split` that stays in the `with`, which is opened again for it. Where the statement is a call
    that leads to a backward, `inner` are the places in the functions that it leads through.
    """

    first: Span
    also: tuple[Span, ...] = ()
    split: bool = False
    inner: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Enter:
    """Move the statements from `first` up to the `with` around `inner` into that `with`."""

    first: Span
    inner: Span


@dataclass(frozen=True, slots=True)
class Sync:
    """Make the `no_sync` around `inner` stand back at the boundary: the guard's condition, or the loop's end.

    With `turned` what chooses between it and no scope is right about when, and has them the wrong way round.
    """

    inner: Span
    boundary: Span | None
    taken: bool = True
    turned: bool = False


Change: TypeAlias = (
    Move
    | Insert
    | Delete
    | Replace
    | Call
    | Iterate
    | Measure
    | Argument
    | Loss
    | Undivide
    | Divisor
    | Detach
    | HandOver
    | Modulus
    | Tail
    | Enclose
    | Quiet
    | Choose
    | Lend
    | HandIn
    | NoSync
    | Leave
    | Enter
    | Sync
)


@dataclass(frozen=True, slots=True)
class Repair:
    """One way to mend a finding: all of its edits together, or none.

    `unsafe` lowers a safe rule's repair where this one is less than certain, `safe` raises that of another rule where
    this one is certain; `doubt` says why.
    """

    title: str
    edits: tuple[Change, ...]
    unsafe: bool = False
    doubt: str = ""
    safe: bool = False
