# /// script
# requires-python = ">=3.10"
# ///
"""What gradlint and the linters beside it can do: runs them, and prints the table of docs/compare.md.

    python benchmarks/peers.py --peers /tmp/peers            # the table
    python benchmarks/peers.py --peers /tmp/peers --commands # the command behind each cell

Each peer is installed into an environment of its own below the folder, outside of this tree. A cell is a command and
a sign: where the sign is in what the command prints, the cell says yes. Where a tool has nothing to run, the command
looks for it in the tool's help or on input that would show it, and the sign is what it would print.

The hooks are run by `pre-commit try-repo` on the tools' repositories; `--repository ruff=FOLDER` names a clone.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = {
    "ruff": "ruff",
    "torchfix": "torchfix",
    "torch-preflight": "torch-preflight",
    "fixit": "fixit[lsp]",
    "semgrep": "semgrep",
}
TOOLS = ("gradlint", *PACKAGES)
REPOSITORIES = {
    "gradlint": "https://github.com/torch-gradlint/gradlint",
    "ruff": "https://github.com/astral-sh/ruff-pre-commit",
    "torchfix": "https://github.com/pytorch-labs/torchfix",
    "torch-preflight": "https://github.com/highwaterlabs/torch-preflight",
    "fixit": "https://github.com/Instagram/Fixit",
    "semgrep": "https://github.com/semgrep/pre-commit",
}
VERSION = {tool: f"{tool} --version" for tool in TOOLS}
FLAGS = (
    "clip-after-step",
    "clip-scaled-gradients",
    "unscaled-accumulation-loss",
    "zero-grad-in-accumulation",
    "missing-no-sync",
    "scheduler-per-micro-batch",
)
PLAIN = {
    "gradlint": "gradlint check --no-cache",
    "ruff": "ruff check --isolated --select ALL --ignore E501 --output-format concise --no-cache",
    "torchfix": "torchfix --select ALL",
    "torch-preflight": "torch-preflight check --no-color",
    "fixit": "fixit lint",
    "semgrep": "semgrep scan --metrics off --disable-version-check --quiet --config rule.yml",
}
CODE = re.compile(r"\[([a-z]+(?:-[a-z]+)+)\]|\b([A-Z]{1,6}\d{3,4})\b|\b((?:[A-Z][a-z]+){2,}): |(old-cholesky)")
"""What names a rule in a report."""

FILES = {
    "bad.py": """\
import os
import torch


class Net(object):
    pass


def train(model, loader):
    criterion = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        losses.append(loss)
    return losses


def root():
    held = torch.load("matrix.pt")
    return torch.cholesky(held)
""",
    "rule.yml": """\
rules:
  - id: old-cholesky
    languages: [python]
    severity: WARNING
    message: use torch.linalg
    pattern: torch.cholesky($X)
    fix: torch.linalg.cholesky($X)
  - id: loaded-cholesky
    languages: [python]
    severity: WARNING
    message: a matrix from a file
    mode: taint
    pattern-sources: [{pattern: torch.load(...)}]
    pattern-sinks: [{pattern: torch.cholesky(...)}]
""",
    "own.py": """\
import libcst as cst
from fixit import LintRule


class NoCholesky(LintRule):
    MESSAGE = "use torch.linalg"

    def visit_Attribute(self, node: cst.Attribute) -> None:
        if node.attr.value == "cholesky":
            self.report(node, "use torch.linalg")
""",
    "hello.py": """\
import json, sys, time
body = {"rootUri": None, "processId": None, "capabilities": {}, "initializationOptions": {"scan": {}}}
text = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": body})
sys.stdout.write(f"Content-Length: {len(text)}\\r\\n\\r\\n{text}")
sys.stdout.flush()
time.sleep(10)
""",
    "idle.py": """\
x = 1  # noqa: F401
y = 1  # noqa: TOR101
z = 1  # gradlint: ignore[clip-after-step]
u = 1  # torch-preflight: ignore[TG001]
v = 1  # lint-ignore: NoInheritFromObject
w = 1  # nosemgrep: old-cholesky
""",
}
NOTEBOOK = {"cells": [], "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
FLAKE8 = "flake8 --isolated --select TOR"
SEMGREP = "semgrep scan --metrics off --disable-version-check --config rule.yml"
SERVED = r'"capabilities"'


@dataclass(frozen=True)
class Cell:
    """A command, the sign that shows the feature in its output, and what the table says then."""

    command: str
    sign: str
    word: str = "yes"


def formats() -> dict[str, dict[str, Cell]]:
    """The reports that services read."""
    signs = {
        "JSON": ("json", r"^\s*[\[{]"),
        "SARIF": ("sarif", r'"runs"'),
        "SARIF with code flows": ("sarif", r'"codeFlows"'),
        "GitHub annotations": ("github", r"^::(error|warning|notice)"),
        "GitLab code quality": ("gitlab", r'"fingerprint"'),
        "JUnit": ("junit", r"<testsuite"),
    }
    rows = {}
    for feature, (name, sign) in signs.items():
        report = f"--{'junit-xml' if name == 'junit' else 'gitlab-sast' if name == 'gitlab' else name}"
        traced = " --dataflow-traces" if "flows" in feature else ""
        rows[feature] = {
            "gradlint": Cell(f"gradlint check --no-cache --output-format {name} bad.py", sign),
            "ruff": Cell(f"ruff check --isolated --output-format {name} bad.py", sign),
            "torchfix": Cell(f"{FLAKE8} --format {name} bad.py", sign),
            "torch-preflight": Cell(f"torch-preflight check --format {name} bad.py", sign),
            "fixit": Cell(f"fixit --output-format {name} lint bad.py", sign),
            "semgrep": Cell(f"{SEMGREP} --quiet{traced} {report} bad.py", sign),
        }
    rows["GitLab code quality"]["semgrep"] = Cell(
        f"{SEMGREP} --quiet --gitlab-sast bad.py", r'"vulnerabilities"', "as GitLab SAST"
    )
    return rows


def silence() -> dict[str, dict[str, Cell]]:
    """Comments, baselines, caches."""
    mark = (
        "{command} bad.py 2>&1 | grep -q '{name}' && sed -i '/{here}/s/$/  # {comment}/' bad.py && "
        "{command} bad.py > out 2>&1; test -f out && ! grep -q '{name}' out && echo silenced"
    )

    def comment(here: str, text: str, command: str, name: str, word: str = "yes") -> Cell:
        return Cell(mark.format(here=here, comment=text, command=command, name=name), "silenced", word)

    return {
        "a comment silences a line": {
            "gradlint": comment(
                "clip_grad", "gradlint: ignore[clip-after-step]", "gradlint check --no-cache", "clip-after-step"
            ),
            "ruff": comment("^import os", "noqa: F401", "ruff check --isolated --select F401", "unused"),
            "torchfix": comment("cholesky", "noqa: TOR101", FLAKE8, "TOR101", "as a plugin of flake8"),
            "torch-preflight": comment("append", "torch-preflight: ignore[TG001]", "torch-preflight check", "TG001"),
            "fixit": comment("(object)", "lint-ignore: NoInheritFromObject", "fixit lint", "NoInheritFromObject"),
            "semgrep": comment("cholesky", "nosemgrep", SEMGREP, "use torch.linalg"),
        },
        "tells of comments that silence nothing": {
            "gradlint": Cell("gradlint check --no-cache idle.py", "clip-after-step"),
            "ruff": Cell("ruff check --isolated --select RUF100 idle.py", "[Uu]nused"),
            "torchfix": Cell("torchfix --select ALL idle.py", "noqa"),
            "torch-preflight": Cell("torch-preflight check idle.py", "idle.py"),
            "fixit": Cell("fixit lint idle.py", "lint-ignore"),
            "semgrep": Cell(f"{SEMGREP} --strict idle.py", "idle.py"),
        },
        "writes the comments for old code": {
            "gradlint": Cell("gradlint check --add-ignores bad.py; cat bad.py", "# gradlint: ignore"),
            "ruff": Cell("ruff check --isolated --add-noqa bad.py; cat bad.py", "# noqa"),
            "torchfix": Cell("torchfix --help; flake8 --help", "--add-"),
            "torch-preflight": Cell("torch-preflight check --help", "--add-"),
            "fixit": Cell("fixit --help; fixit fix --help; fixit lint --help", "add-|suppress"),
            "semgrep": Cell("semgrep scan --help | col -b", "--add-"),
        },
        "baseline": {
            "gradlint": Cell(
                "gradlint check --write-baseline base.json bad.py > out; "
                "gradlint check --baseline base.json bad.py && echo old",
                "^old",
                "as a file",
            ),
            "ruff": Cell("ruff check --help", "baseline"),
            "torchfix": Cell("torchfix --help; flake8 --help", "baseline"),
            "torch-preflight": Cell("torch-preflight check --help", "baseline"),
            "fixit": Cell("fixit --help; fixit lint --help", "baseline"),
            "semgrep": Cell(
                "git init -q . && git add bad.py && git -c user.name=a -c user.email=a@b commit -qm a && "
                f"{SEMGREP} --error --baseline-commit HEAD bad.py && echo nothing is new",
                "nothing is new",
                "as a commit",
            ),
        },
        "cache": {
            "gradlint": Cell("gradlint check bad.py; ls -A", r"^\.gradlint_cache"),
            "ruff": Cell("ruff check --isolated bad.py; ls -A", r"^\.ruff_cache"),
            "torchfix": Cell("torchfix --select ALL bad.py; ls -A; torchfix --help", "cache"),
            "torch-preflight": Cell("torch-preflight check bad.py; ls -A; torch-preflight check --help", "cache"),
            "fixit": Cell("fixit lint bad.py; ls -A; fixit --help", "(?<!py)cache(?!__)"),
            "semgrep": Cell(f"{SEMGREP} --quiet bad.py; ls -A; semgrep scan --help | col -b", "cache"),
        },
    }


def places() -> dict[str, dict[str, Cell]]:
    """Where code is written."""
    served = "python hello.py | timeout 20 {} 2>/dev/null"
    return {
        "checks notebooks": {tool: Cell(f"{command} note.ipynb", _FOUND[tool]) for tool, command in PLAIN.items()},
        "repairs notebooks": {
            tool: Cell(f"{command} note.ipynb; git diff --no-index --stat before.ipynb note.ipynb", "1 file changed")
            for tool, command in _FIX.items()
        },
        "language server": {
            "gradlint": Cell(served.format("gradlint server"), SERVED),
            "ruff": Cell(served.format("ruff server"), SERVED),
            "torchfix": Cell("torchfix --help; flake8 --help", "server|lsp"),
            "torch-preflight": Cell("torch-preflight --help", "server|lsp"),
            "fixit": Cell(served.format("fixit lsp"), SERVED),
            "semgrep": Cell(served.format("semgrep lsp"), SERVED),
        },
        "pre-commit hook": {
            tool: Cell(
                "git init -q . && git add bad.py rule.yml && "
                f"pre-commit try-repo --verbose {{repository}} {hook} --files bad.py",
                "hook id: ",
            )
            for tool, hook in _HOOKS.items()
        },
    }


_FOUND = {
    "gradlint": "clip-after-step",
    "ruff": "F401",
    "torchfix": "TOR101",
    "torch-preflight": "TG001",
    "fixit": "NoInheritFromObject",
    "semgrep": "torch.linalg",
}
_FIX = {
    "gradlint": "gradlint fix --apply",
    "ruff": "ruff check --isolated --fix",
    "torchfix": "torchfix --select ALL --fix",
    "torch-preflight": "torch-preflight check --fix",
    "fixit": "fixit fix --automatic",
    "semgrep": f"{SEMGREP} --autofix",
}
_DIFF = {
    "gradlint": "gradlint fix",
    "ruff": "ruff check --isolated --diff",
    "torchfix": "torchfix --select ALL",
    "torch-preflight": "torch-preflight check --diff",
    "fixit": "fixit lint --diff",
    "semgrep": f"{SEMGREP} --autofix --dryrun",
}
_HOOKS = {
    "gradlint": "gradlint",
    "ruff": "ruff-check",
    "torchfix": "torchfix",
    "torch-preflight": "torch-preflight",
    "fixit": "fixit-lint",
    "semgrep": "semgrep",
}
_HELP = {
    "gradlint": "gradlint --help",
    "ruff": "ruff --help",
    "torchfix": "torchfix --help; flake8 --help",
    "torch-preflight": "torch-preflight --help",
    "fixit": "fixit --help",
    "semgrep": "semgrep --help; semgrep show --help | col -b",
}


def knowledge() -> dict[str, dict[str, Cell]]:
    """What a tool knows, and what it does with it."""
    cells = {tool: Cell(command, r"\bexplain\b") for tool, command in _HELP.items()}
    cells["gradlint"] = Cell("gradlint explain clip-after-step", "optimizer")
    cells["ruff"] = Cell("ruff rule F401", "unused-import")
    cells["torch-preflight"] = Cell("torch-preflight explain TG001", "autograd")
    verified = {tool: Cell(command, r"\bverify\b|by running") for tool, command in _HELP.items()}
    verified["gradlint"] = Cell("gradlint verify --device cpu bad.py", "the repair is confirmed")
    own = {tool: Cell(command, "plugin|custom rule|own rules") for tool, command in _HELP.items()}
    own["torchfix"] = Cell("torchfix --help", "plugin|custom rule|own rules")
    own["fixit"] = Cell("fixit --rules .own lint bad.py", "NoCholesky", "in Python")
    own["semgrep"] = Cell(f"{SEMGREP} bad.py", "old-cholesky", "as patterns")
    memory = {tool: Cell(command, "VRAM") for tool, command in _HELP.items()}
    return {
        "repairs": {
            tool: Cell(f"{c} bad.py; git diff --no-index --stat before.py bad.py", "1 file changed")
            for tool, c in _FIX.items()
        },
        "shows repairs before it writes": {
            tool: Cell(f"{c} bad.py", r"^\+(?!\+)|Autofix", "as text" if tool == "semgrep" else "as a diff")
            for tool, c in _DIFF.items()
        },
        "explains a rule": cells,
        "verifies by running": verified,
        "rules of your own": own,
        "estimates memory": memory,
    }


def rows() -> dict[str, dict[str, Cell]]:
    """Every feature with its cells."""
    return {**formats(), **silence(), **places(), **knowledge()}


class Bench:
    """Runs commands, each in a folder of its own.

    Args:
        folder: where the peers are installed, each in a folder of its name.
        repositories: clones to take hooks from, instead of the tools' public repositories.
    """

    def __init__(self, folder: Path, repositories: dict[str, str]) -> None:
        self.folder = folder
        self.repositories = {**REPOSITORIES, **repositories}

    def binaries(self, tool: str) -> Path:
        """The folder of a tool's commands; a peer is installed unless it is there."""
        if tool == "gradlint":
            return Path(sys.executable).parent
        home = self.folder / tool
        if not home.exists():
            venv.create(home, with_pip=True)
            install = [home / "bin" / "python", "-m", "pip", "install", "--quiet", PACKAGES[tool]]
            subprocess.run(install, check=True)  # noqa: S603  # what the table above says
        return home / "bin"

    def run(self, tool: str, command: str) -> str:
        """What a command prints, in a folder with the files of `FILES`."""
        own = Path(sys.executable).parent
        path = os.pathsep.join((str(self.binaries(tool)), os.environ["PATH"], str(own)))
        plain = {"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "200", "SEMGREP_ENABLE_VERSION_CHECK": "0"}
        with tempfile.TemporaryDirectory() as name:
            write(Path(name))
            ran = subprocess.run(  # noqa: S603  # the commands of this file
                ["bash", "-c", command.replace("{repository}", self.repositories[tool])],  # noqa: S607  # on the path
                cwd=name,
                env={**os.environ, **plain, "PATH": path},
                capture_output=True,
                text=True,
                timeout=600,
                check=False,
            )
        return ran.stdout + ran.stderr

    def said(self, tool: str, cell: Cell) -> str:
        """What the table says in a cell."""
        return cell.word if re.search(cell.sign, self.run(tool, cell.command), re.MULTILINE) else "no"

    def flags(self, tool: str) -> str:
        """How many of the six mistakes a tool reports in the wrong loop and not in the right one."""
        found = [flag for flag in FLAGS if self._codes(tool, flag, "buggy") - self._codes(tool, flag, "fixed")]
        return str(len(found))

    def _codes(self, tool: str, flag: str, which: str) -> Counter[str]:
        text = self.run(tool, flag_command(tool, flag, which))
        return Counter(next(filter(None, groups)) for groups in CODE.findall(text))


def flag_command(tool: str, flag: str, which: str) -> str:
    """The command that checks one of the loops in fixtures/."""
    copied = f"cp {ROOT}/fixtures/{flag}/{which}.py loop.py"
    return f"{copied}; {PLAIN[tool]} loop.py"


def write(folder: Path) -> None:
    """The files that the commands work on."""
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    code = {"cell_type": "code", "execution_count": None, "id": "a", "metadata": {}, "outputs": []}
    notebook = {**NOTEBOOK, "cells": [{**code, "source": FILES["bad.py"].splitlines(keepends=True)}]}
    (folder / "note.ipynb").write_text(json.dumps(notebook, indent=1) + "\n", encoding="utf-8")
    for name, copy in (("bad.py", "before.py"), ("note.ipynb", "before.ipynb")):
        shutil.copy(folder / name, folder / copy)


def table(bench: Bench) -> Iterator[str]:
    """The table, line by line."""
    with ThreadPoolExecutor(3) as pool:
        versions = pool.map(lambda tool: bench.run(tool, VERSION[tool]), TOOLS)
        numbers = (re.search(r"\d+(\.\d+)+", text) for text in versions)
        heads = [f"{tool} {found[0] if found else ''}" for tool, found in zip(TOOLS, numbers, strict=True)]
        yield f"| | {' | '.join(heads)} |"
        yield f"|---{'|---' * len(TOOLS)}|"
        yield f"| of the six red flags, told | {' | '.join(pool.map(bench.flags, TOOLS))} |"
        for feature, cells in rows().items():
            said = pool.map(lambda tool, cells=cells: bench.said(tool, cells[tool]), TOOLS)
            yield f"| {feature} | {' | '.join(said)} |"


def commands() -> Iterator[str]:
    """The command behind each cell, and the sign that makes it say yes."""
    for tool in TOOLS:
        yield f"of the six red flags, told, {tool}: {flag_command(tool, FLAGS[0], 'buggy')}"
    for feature, cells in rows().items():
        for tool in TOOLS:
            yield f"{feature}, {tool}: {cells[tool].command}  # {cells[tool].sign}"


def main() -> None:
    """Print the table, or the commands."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--peers", type=Path, default=Path("build/peers"), help="where the peers are installed")
    parser.add_argument("--repository", action="append", default=[], metavar="TOOL=CLONE")
    parser.add_argument("--commands", action="store_true", help="print the commands instead")
    options = parser.parse_args()
    if options.commands:
        lines = commands()
    else:
        named = dict(one.split("=", 1) for one in options.repository)
        lines = table(Bench(options.peers.resolve(), named))
    for line in lines:
        print(line, flush=True)  # noqa: T201  # a script's output


if __name__ == "__main__":
    main()
