"""Begin a rule: its file, its page, and what is left to do.

    make new-rule NAME=my-rule [CATEGORY=hygiene] [SEVERITY=error|warning|info] [REPAIR=safe|unsafe|none] [OFF=1]

Writes `gradlint/rules/my_rule.py` and `rules/my-rule.md`, which hold `FILL IN` where something is to be said.
`pytest tests/rules -k my-rule` then names what is missing; CONTRIBUTING.md goes through it.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CATEGORIES = (
    *("accumulation", "clipping", "mixed-precision", "lifecycle", "distributed", "scheduling", "hygiene"),
    *("normalisation", "framework", "numerics", "advice"),
)
SEVERITIES = ("error", "warning", "info")
REPAIRS = ("safe", "unsafe", "none")

RULE = '''\
"""FILL IN: the mistake in a few words."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.model.books import Update
{imports}from gradlint.model.finding import Safety, Severity
{fields}from gradlint.rules.support.doubts import stretch
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.telling import line


class {cls}(Rule):
    """FILL IN: what a loop does that has the mistake."""

    name = "{name}"
    category = "{category}"
    severity = Severity.{level}
    safety = Safety.{safety}
    summary = "FILL IN: the sentence that the page begins with."
{attributes}
    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each update that has it."""
        for update in case.updates:
            if _is_wrong(update):
                yield _hit(case, update)


def _is_wrong(update: Update) -> bool:
    """FILL IN: what of the events and books says that it is there."""
    return update.number < 0


def _hit(case: Case, update: Update) -> Hit:
    return (
        Hit.at(update.step)
        .says(f"FILL IN: what is wrong with `{{update.step.text}}` on {{line(update.step)}}.")
        .because("FILL IN: why that is so.")
        .costs("FILL IN: what it does to training, in numbers.")
        .of(case, update)
        .within(stretch(update))
{mended}    )
'''
REPAIRED = {
    "imports": "from gradlint.model.edits import Delete, Repair\nfrom gradlint.model.events import Kind\n",
    "fields": "from gradlint.model.ledger import Field\n",
    "attributes": """\
    reason = "FILL IN: why the repair is {word}"
    effect = "FILL IN: what the repair changes in training."
    speaks = frozenset({{Field.WINDOW}})  # FILL IN: the fields of the ledger that the repair changes
    mends = frozenset({{Kind.STEP}})  # FILL IN: the kinds of events that it adds or takes away
""",
    "mended": '        .mended(Repair("FILL IN: what it does", (Delete(update.step.span),)))\n',
}
UNREPAIRED = {"imports": "", "fields": "", "attributes": "", "mended": ""}
OFF = "    default = False\n"

PAGE = """\
# {name}

{category} · {severity} · fix: {repair} · {default} by default

FILL IN: the sentence that the page begins with.

## What it does

FILL IN: what it looks for, and what it takes for evidence.

## Why it matters

FILL IN: what goes wrong, in numbers; measured or cited.

## Example

FILL IN: break this loop, and mark the line that is told with `# error` (two spaces before it). Add other loops.

```py
import torch


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
```

{fixed}## Use instead

FILL IN: the same loop, as it is meant.

```py
import torch


def train(model, loader):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
```

## Fix

{fix}

## When it stays silent

FILL IN: loops that look like it and are right, one each; at least as many in all as there are wrong ones.

```py
import torch


def train(model, loader, optimizer):
    for x, y in loader:  # ok
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
```

## How sure

Not measured yet: none of its findings in real code was read.

## Sources

* FILL IN: [where PyTorch says so](https://docs.pytorch.org/docs/stable/optim.html)
"""
FIXED = """\
FILL IN: what the repair makes of it, to the letter.

```py fixed
import torch


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
```

"""
TODO = """\
Wrote {rule} and {page}. What is left:

1. FILL IN, in both. The examples first: `pytest tests/rules -k {name}` says what is missing.
2. What would excuse it where nobody can see it: `excused_by` in the rule, and a loop for it in
   `tests/interpret/test_out_of_sight.py`; or there, that nothing would (`NEVER`).
3. If the loop can be run: `fixtures/{name}/buggy.py` and `fixed.py`, and its figure in `tests/fixtures/observables.py`.
4. `python benchmarks/measured.py` renews the table in README.md. A line in CHANGELOG.md. `make test`.
"""


class Refused(Exception):
    """A rule that cannot be begun, and why."""


@dataclass(frozen=True)
class Begun:
    """What is known of a rule at its beginning."""

    name: str
    category: str
    severity: str
    repair: str
    off: bool

    @property
    def files(self) -> tuple[str, str]:
        """Its module and its page."""
        return f"gradlint/rules/{self.name.replace('-', '_')}.py", f"rules/{self.name}.md"

    @property
    def module(self) -> str:
        """The text of its module."""
        parts = dict(UNREPAIRED if self.repair == "none" else REPAIRED)
        parts["attributes"] = parts["attributes"].format(word=self.repair) + (OFF if self.off else "")
        parts |= {"safety": self.repair.upper(), "level": self.severity.upper()}
        cls = "".join(word.capitalize() for word in self.name.split("-"))
        return RULE.format(name=self.name, cls=cls, category=self.category, **parts)

    @property
    def page(self) -> str:
        """The text of its page."""
        repairs = self.repair != "none"
        fix = f"FILL IN: what the repair does, and why it is {self.repair}." if repairs else "None."
        default, fixed = "off" if self.off else "on", FIXED if repairs else ""
        return PAGE.format(**vars(self), default=default, fix=fix, fixed=fixed)


def begin(root: Path, rule: Begun) -> str:
    """Write the module and the page of a rule.

    Returns:
        What is left to do.

    Raises:
        Refused: the name is none, or taken.
    """
    if not re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", rule.name):
        raise Refused(f"{rule.name!r} is no name of a rule: small letters and hyphens, as in clip-after-step")
    taken = next((path for path in rule.files if (root / path).exists()), None)
    if taken is not None:
        raise Refused(f"{taken} is there already")
    module, page = rule.files
    (root / module).write_text(rule.module, encoding="utf-8")
    (root / page).write_text(rule.page, encoding="utf-8")
    return TODO.format(rule=module, page=page, name=rule.name)


def main() -> int:
    """Begin the rule that the command line names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("name", help="in kebab case, as in clip-after-step")
    parser.add_argument("--category", choices=CATEGORIES, default="hygiene")
    parser.add_argument("--severity", choices=SEVERITIES, default="warning")
    parser.add_argument("--repair", choices=REPAIRS, default="unsafe", help="whether a repair is safe, or there is one")
    parser.add_argument("--off", action="store_true", help="it is off by default")
    parser.add_argument("--root", type=Path, default=ROOT, help="another clone")
    options = parser.parse_args()
    try:
        rule = Begun(options.name, options.category, options.severity, options.repair, options.off)
        todo = begin(options.root, rule)
    except Refused as error:
        sys.stderr.write(f"new-rule: {error}\n")
        return 2
    sys.stdout.write(todo)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
