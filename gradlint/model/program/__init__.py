"""The program: a training loop in the small language that the dry run executes.

    source text --lower--> program --dry run--> event log --fold--> ledger

The language is Python without everything that cannot matter to a gradient: values are numbers,
losses and objects with a `Role`; statements are assignments, control flow and calls. What a
library call means (`scaler.step` unscales and steps) was looked up while lowering and stands
in the call as an `Effect`: the machine looks no name up.

Everything here is frozen, but for what the dry run notes of a program (its `facts`, `lineages` and what is `asked`);
places in the source are `Span`s. Nobody sees a syntax tree: only the functions that nobody has looked into yet still
keep theirs, inside a closure.
"""

from __future__ import annotations

from gradlint.model.program.expressions import (
    Arith,
    Attr,
    Bind,
    Call,
    Choose,
    Closure,
    Comprehension,
    Const,
    Dictionary,
    Display,
    Expr,
    Item,
    Logic,
    Not,
    Opaque,
    Read,
    Star,
    Target,
    Test,
    Told,
)
from gradlint.model.program.statements import (
    Assign,
    Augment,
    Break,
    Continue,
    Define,
    Delete,
    Do,
    For,
    If,
    LoopKind,
    ParameterLoop,
    Raise,
    Return,
    Stmt,
    Try,
    While,
    With,
)
from gradlint.model.program.whole import (
    SUITES,
    Class,
    Found,
    Function,
    Inside,
    Link,
    Module,
    Parameter,
    Program,
    Works,
    assignments,
)

__all__ = [
    "SUITES",
    "Arith",
    "Assign",
    "Attr",
    "Augment",
    "Bind",
    "Break",
    "Call",
    "Choose",
    "Class",
    "Closure",
    "Comprehension",
    "Const",
    "Continue",
    "Define",
    "Delete",
    "Dictionary",
    "Display",
    "Do",
    "Expr",
    "For",
    "Found",
    "Function",
    "If",
    "Inside",
    "Item",
    "Link",
    "Logic",
    "LoopKind",
    "Module",
    "Not",
    "Opaque",
    "Parameter",
    "ParameterLoop",
    "Program",
    "Raise",
    "Read",
    "Return",
    "Star",
    "Stmt",
    "Target",
    "Test",
    "Told",
    "Try",
    "While",
    "With",
    "Works",
    "assignments",
]
