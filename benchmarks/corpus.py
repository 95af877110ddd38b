"""Files of what was read, `benchmarks/corpus.txt` and `benchmarks/corpus-*.txt`: their one format.

Facts only, no code. A line is one of these, a `#` and what follows a blank before it is a remark, blank lines are free:

    repo     OWNER/NAME COMMIT
    package  NAME VERSION
    loop     ID SOURCE FILE FIRST-LAST random|searched clean|wrong
    wrong    ID RULE LINE SURENESS one-file|other-file
    found    SOURCE FILE:LINE RULE right|wrong|debatable YYYY-MM-DD [VERSION]

What the words mean stands at the top of `benchmarks/corpus.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
VERDICTS = ("right", "wrong", "debatable")
SURE = 0.5
"""A mistake that is less sure than this is a doubt: it counts neither way."""
_SHAPES = {
    "repo": (r"(?P<name>[\w.-]+/[\w.-]+)\s+(?P<version>[0-9a-f]{7,40})", "OWNER/NAME COMMIT"),
    "package": (r"(?P<name>[\w.-]+)\s+(?P<version>[\w.!+-]+)", "NAME VERSION"),
    "loop": (
        (
            r"(?P<id>[\w.-]+)\s+(?P<source>\S+)\s+(?P<file>\S.*?)\s+(?P<first>\d+)-(?P<last>\d+)\s+"
            r"(?P<drawn>random|searched)\s+(?P<kind>clean|wrong)"
        ),
        "ID SOURCE FILE FIRST-LAST random|searched clean|wrong",
    ),
    "wrong": (
        (
            r"(?P<id>[\w.-]+)\s+(?P<rule>[a-z0-9-]+)\s+(?:(?P<file>\S.*?):)?(?P<line>\d+)\s+(?P<sureness>[01]\.\d+)\s+"
            r"(?P<where>one-file|other-file)"
        ),
        "ID RULE [FILE:]LINE SURENESS one-file|other-file",
    ),
    "found": (
        (
            r"(?P<source>\S+@[0-9a-f]{7,40}|\S+==\S+)\s+(?P<file>\S.*):(?P<line>\d+)\s+(?P<rule>[a-z0-9-]+)\s+"
            r"(?P<verdict>right|wrong|debatable)\s+(?P<date>\d{4}-\d\d-\d\d)(?:\s+(?P<version>[0-9a-z][\w.+-]*))?"
        ),
        "SOURCE FILE:LINE RULE right|wrong|debatable YYYY-MM-DD [VERSION]",
    ),
}
_REMARK = re.compile(r"(?:^|\s+)#\s*(?P<text>.*)$")


class CorpusError(Exception):
    """A line that cannot be read, or that does not go with the others."""


@dataclass(frozen=True)
class Source:
    """A repository at a commit, or a package in a version."""

    name: str
    version: str
    package: bool

    def __str__(self) -> str:
        """As a line `found` names it."""
        return f"{self.name}=={self.version}" if self.package else f"{self.name}@{self.version}"

    @property
    def key(self) -> tuple[str, str]:
        """What makes it the same source, however much of the commit is written."""
        return self.name, self.version if self.package else self.version[:7]


@dataclass(frozen=True)
class Mistake:
    """A mistake that a reader saw in a loop; it shows in the loop's own file unless another is told."""

    rule: str
    line: int
    sureness: float
    one_file: bool
    file: str = ""

    @property
    def sure(self) -> bool:
        """Does it count?"""
        return self.sureness >= SURE


@dataclass(frozen=True)
class Loop:
    """A loop that was read before any linter was asked."""

    name: str
    source: Source
    file: str
    first: int
    last: int
    drawn: str
    clean: bool
    mistakes: tuple[Mistake, ...]


@dataclass(frozen=True)
class Found:
    """A finding that was read, and what was thought of it."""

    source: Source
    file: str
    line: int
    rule: str
    verdict: str
    date: str
    version: str
    remark: str

    @property
    def key(self) -> tuple[object, ...]:
        """A finding is judged once."""
        return (*self.source.key, self.file, self.line, self.rule)


@dataclass
class Corpus:
    """One file of what was read."""

    name: str
    sources: list[Source] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    found: list[Found] = field(default_factory=list)


def read(text: str, name: str = "corpus.txt", rules: Collection[str] | None = None) -> Corpus:
    """What a file says.

    Args:
        text: of the file.
        name: of the file, for messages.
        rules: the rules there are, where that is to be looked at.

    Raises:
        CorpusError: a line cannot be read, contradicts another, or tells a thing twice.
    """
    corpus = Corpus(name)
    loops: dict[str, _Loop] = {}
    for number, line in enumerate(text.splitlines(), 1):
        try:
            _take(corpus, loops, line, rules)
        except CorpusError as error:
            raise CorpusError(f"{name}, line {number}: {error}") from None
    try:
        corpus.loops.extend(loop.whole(corpus) for loop in loops.values())
    except CorpusError as error:
        raise CorpusError(f"{name}: {error}") from None
    return corpus


@dataclass
class _Loop:
    """A line `loop`, and the lines `wrong` that belong to it."""

    match: re.Match[str]
    mistakes: list[Mistake]

    def whole(self, corpus: Corpus) -> Loop:
        match = self.match
        clean = match["kind"] == "clean"
        if clean == any(mistake.sure for mistake in self.mistakes):
            said = "clean, and has a sure mistake" if clean else "wrong, and has no sure mistake"
            raise CorpusError(f"loop {match['id']} is {said}")
        first, last = int(match["first"]), int(match["last"])
        if first > last:
            raise CorpusError(f"loop {match['id']} ends before it begins")
        source = _declared(corpus, match["source"])
        return Loop(match["id"], source, match["file"], first, last, match["drawn"], clean, tuple(self.mistakes))


def _take(corpus: Corpus, loops: dict[str, _Loop], text: str, rules: Collection[str] | None) -> None:
    """Take one line into the corpus.

    Raises:
        CorpusError: it cannot be read, or does not go with those before.
    """
    remark = _REMARK.search(text)
    word, _, rest = (text[: remark.start()] if remark else text).strip().partition(" ")
    if not word:
        return
    if word not in _SHAPES:
        raise CorpusError(f"{word!r} is none of {', '.join(_SHAPES)}")
    shape, told = _SHAPES[word]
    match = re.fullmatch(shape, rest.strip())
    if match is None:
        raise CorpusError(f"write `{word} {told}`")
    if rules is not None and word in {"wrong", "found"} and match["rule"] not in rules:
        raise CorpusError(f"there is no rule {match['rule']!r}")
    if word in {"repo", "package"}:
        _add_source(corpus, Source(match["name"], match["version"], word == "package"))
    elif word == "found":
        _add_found(corpus, _found(match, remark["text"].strip() if remark else ""))
    elif word == "loop":
        if match["id"] in loops:
            raise CorpusError(f"loop {match['id']} is told twice")
        _declared(corpus, match["source"])
        loops[match["id"]] = _Loop(match, [])
    else:
        if match["id"] not in loops:
            raise CorpusError(f"there is no loop {match['id']}")
        line, sureness, alone = int(match["line"]), float(match["sureness"]), match["where"] == "one-file"
        mistake = Mistake(match["rule"], line, sureness, alone, match["file"] or "")
        loops[match["id"]].mistakes.append(mistake)


def _add_source(corpus: Corpus, source: Source) -> None:
    if source.key in {one.key for one in corpus.sources}:
        raise CorpusError(f"{source} is told twice")
    corpus.sources.append(source)


def _add_found(corpus: Corpus, found: Found) -> None:
    known = [source for source in corpus.sources if source.name == found.source.name]
    if known and found.source.key not in {source.key for source in known}:
        raise CorpusError(f"{found.source} is not what was read: {', '.join(map(str, known))}")
    if found.key in {one.key for one in corpus.found}:
        raise CorpusError(f"{found.rule} at {found.file}:{found.line} is told twice")
    corpus.found.append(found)


def _found(match: re.Match[str], remark: str) -> Found:
    package = "==" in match["source"]
    name, _, version = match["source"].partition("==" if package else "@")
    source = Source(name, version, package)
    line, told = int(match["line"]), match["version"] or ""
    return Found(source, match["file"], line, match["rule"], match["verdict"], match["date"], told, remark)


def _declared(corpus: Corpus, name: str) -> Source:
    """The source of which a loop is.

    Raises:
        CorpusError: no line above names it, or more than one.
    """
    named = [source for source in corpus.sources if name in {source.name, str(source)}]
    if len(named) != 1:
        raise CorpusError(f"{len(named) or 'no'} lines `repo` or `package` above name {name}")
    return named[0]


def files(folder: Path = FOLDER) -> list[Path]:
    """The files there are, `corpus.txt` first."""
    return [path for path in (folder / "corpus.txt", *sorted(folder.glob("corpus-*.txt"))) if path.exists()]


def read_all(paths: Iterable[Path], rules: Collection[str] | None = None) -> list[Corpus]:
    """What several files say.

    Raises:
        CorpusError: one cannot be read, or a finding is judged in two of them.
    """
    corpora = [read(path.read_text(encoding="utf-8"), path.name, rules) for path in paths]
    judged: dict[object, str] = {}
    for corpus in corpora:
        for found in corpus.found:
            if judged.setdefault(found.key, corpus.name) != corpus.name:
                where = f"{found.rule} at {found.source} {found.file}:{found.line}"
                raise CorpusError(f"{corpus.name}: {where} is told in {judged[found.key]}, too")
    return corpora
