"""Reads the rules' pages: what they say of a rule, and the examples they say it with.

# name                                     ```py           an example
category · severity · fix: … · on by …     loss.step()  # error            this rule reports here
One sentence.                              loss.step()  # error: [other]   another one does
## What it does … ## Sources               loss.step()  # ok               a near miss
                                           ```py fixed     the block above, repaired
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "rules"
HEADINGS = (
    "What it does",
    "Why it matters",
    "Example",
    "Use instead",
    "Fix",
    "When it stays silent",
    "How sure",
    "Sources",
)
_FENCE = re.compile(r"^```(.*)\n([\s\S]*?)^```$", re.MULTILINE)
_MARK = re.compile(r"#\s*(error|ok)\b(.*)$")
_MARKED = re.compile(r"  #\s*(?:error|ok)\b.*$", re.MULTILINE)
_OTHERS = re.compile(r": \[([a-z0-9-]+(?:, [a-z0-9-]+)*)\]")


class PageError(Exception):
    """A page that cannot be read as one."""


@dataclass(frozen=True)
class Block:
    """A fenced block: its page, the row of its first line there, the words on its fence."""

    page: str
    row: int
    info: str
    code: str

    def __str__(self) -> str:
        """`clip-after-step:21-fixed`, a name that leads to the page's row."""
        return f"{self.page}:{self.row}{'-fixed' * self.fixed}"

    @property
    def fixed(self) -> bool:
        """Whether it is the repair of the block above."""
        return self.info == "py fixed"

    @property
    def expected(self) -> list[tuple[int, str]]:
        """(row, rule) of every finding that the block's marks announce."""
        found = []
        for number, line in enumerate(self.code.splitlines(), 1):
            found += [(number, rule) for rule in marked(line, self.page)]
        return sorted(found)

    @property
    def bare(self) -> str:
        """The code without its marks."""
        return _MARKED.sub("", self.code)

    @property
    def rules(self) -> set[str]:
        """The rules that the block's marks announce."""
        return {rule for _, rule in self.expected}


def marked(line: str, page: str) -> list[str]:
    """The rules that a line's mark names.

    Raises:
        PageError: the mark is misspelt.
    """
    mark = _MARK.search(line)
    if mark is None:
        return []
    word, rest = mark.groups()
    others = _OTHERS.fullmatch(rest)
    if (rest and others is None) or (rest and word == "ok"):
        raise PageError(f"{page}: neither `# error`, `# error: [other]` nor `# ok`: {line.strip()}")
    if word == "ok":
        return []
    return [page] if others is None else others[1].split(", ")


@dataclass(frozen=True)
class Page:
    """A page's claims and examples."""

    name: str
    title: str
    category: str
    severity: str
    fix: str
    default: str
    summary: str
    headings: tuple[str, ...]
    blocks: tuple[Block, ...] = field(repr=False)

    @property
    def wrong(self) -> list[Block]:
        """The blocks in which this page's rule reports something."""
        return [block for block in self.blocks if self.name in block.rules]

    @property
    def clean(self) -> list[Block]:
        """The blocks that show right code, those that repair another left out."""
        return [block for block in self.blocks if not block.fixed and not block.expected]

    @property
    def repairs(self) -> list[tuple[Block, Block]]:
        """Every `py fixed` block with the block above it."""
        return [(above, block) for above, block in pairwise(self.blocks) if block.fixed]


def read(path: Path) -> Page:
    """Read one page.

    Raises:
        PageError: it does not begin as a page does.
    """
    text = path.read_text(encoding="utf-8")
    begin = re.match(r"# (.*)\n\n(.*) · (.*) · fix: (.*) · (.*)\n\n(\S.*)\n\n", text)
    if begin is None:
        raise PageError(f"{path.name} does not begin with its name, its table entry and a sentence")
    blocks = tuple(
        Block(path.stem, text.count("\n", 0, fence.start(2)) + 1, fence[1], fence[2]) for fence in _FENCE.finditer(text)
    )
    headings = re.findall(r"^## (.*)$", _FENCE.sub("", text), re.MULTILINE)
    title, category, severity, fix, default, summary = begin.groups()
    return Page(path.stem, title, category, severity, fix, default, summary, tuple(headings), blocks)


PAGES = tuple(read(path) for path in sorted(FOLDER.glob("*.md")))
