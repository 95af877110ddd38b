# /// script
# requires-python = ">=3.10"
# ///
"""How soon an editor shows what a change in one file does to another.

    python benchmarks/editor.py [--files 300] [--changes 10]

A project of so many files is written. `gradlint server` has `engine.py` and `utils/dist.py` open; the latter is then
changed, unsaved, again and again, between a helper that wraps in DDP and one that does not, which gives and takes
away a finding of `engine.py`. Printed is the time from the change to what is shown in `engine.py`, the rest after a key
press (200 ms by default) left out, and the same for a change in `engine.py` itself.
"""

from __future__ import annotations

import argparse
import functools
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

out = functools.partial(print, flush=True)
ENGINE = """\
import torch
from torch import nn

from utils.dist import wrap


def train_one_epoch(model, criterion, loader, optimizer, scaler, accum, max_norm):
    model.train()
    for i, (x, y) in enumerate(loader):
        with torch.autocast("cuda"):
            loss = criterion(model(x), y) / accum
        scaler.scale(loss).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()


def fit(model, loader, epochs, accum=4):
    model = wrap(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scaler = torch.amp.GradScaler("cuda")
    for _ in range(epochs):
        train_one_epoch(model, nn.CrossEntropyLoss(), loader, optimizer, scaler, accum, 1.0)
"""
MAIN = """\
from torch import nn

from data import loader
from engine import fit

if __name__ == "__main__":
    fit(nn.Linear(8, 8), loader(), 3)
"""
DATA = """\
import torch
from torch.utils.data import DataLoader, TensorDataset


def loader():
    return DataLoader(TensorDataset(torch.randn(64, 8), torch.randint(0, 8, (64,))), batch_size=4)
"""
PLAIN = """\
def wrap(model):
    return model
"""
WRAPS = """\
from torch.nn.parallel import DistributedDataParallel


def wrap(model):
    return DistributedDataParallel(model)
"""
OTHER = """\
import json
import math

from lib.part_{before} import shape as before_shape


def shape(values, scale=1.0):
    total = 0.0
    for value in values:
        total += math.sqrt(abs(value)) * scale
    return total / max(1, len(values))


def load(path):
    with open(path) as file:
        return [shape(row) + before_shape(row) for row in json.load(file)]
"""


def write(root: Path, files: int) -> None:
    """A project of so many files."""
    (root / "pyproject.toml").write_text('[project]\nname = "bench"\n', encoding="utf-8")
    for folder in ("utils", "lib"):
        (root / folder).mkdir()
        (root / folder / "__init__.py").write_text("", encoding="utf-8")
    texts = {"engine.py": ENGINE, "main.py": MAIN, "data.py": DATA, "utils/dist.py": PLAIN}
    texts |= {f"lib/part_{number}.py": OTHER.format(before=max(0, number - 1)) for number in range(files - 6)}
    for name, text in texts.items():
        (root / name).write_text(text, encoding="utf-8")


class Editor:
    """A client that knows enough of the protocol for this."""

    def __init__(self, root: Path) -> None:
        command = [sys.executable, "-P", "-m", "gradlint", "server"]
        self.process = subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603
        self.root, self.versions = root, dict[str, int]()
        self.send(
            "initialize",
            number=1,
            capabilities={},
            processId=None,
            rootUri=root.as_uri(),
            initializationOptions={"delay": 0},
        )
        next(one for one in self.heard() if one.get("id") == 1)
        self.send("initialized")

    def send(self, method: str, number: int | None = None, **params: Any) -> None:
        """Tell, or ask."""
        message = {"jsonrpc": "2.0", "method": method, "params": params} | ({} if number is None else {"id": number})
        data = json.dumps(message).encode()
        pipe = self._pipe(self.process.stdin)
        pipe.write(f"Content-Length: {len(data)}\r\n\r\n".encode() + data)
        pipe.flush()

    def heard(self) -> Iterator[dict[str, Any]]:
        """What the server says."""
        pipe = self._pipe(self.process.stdout)
        while line := pipe.readline():
            size = int(line.partition(b":")[2])
            while pipe.readline().strip():
                pass
            yield json.loads(pipe.read(size))

    def text(self, name: str, text: str) -> None:
        """Open a text, or change it."""
        uri, version = (self.root / name).as_uri(), self.versions.get(name, 0) + 1
        self.versions[name] = version
        if version == 1:
            item = {"uri": uri, "languageId": "python", "version": 1, "text": text}
            self.send("textDocument/didOpen", textDocument=item)
        else:
            item = {"uri": uri, "version": version}
            self.send("textDocument/didChange", textDocument=item, contentChanges=[{"text": text}])

    def shown(self, name: str, rules: list[str]) -> float:
        """Wait until this is shown in a text; the seconds that it took."""
        start, uri = time.perf_counter(), (self.root / name).as_uri()
        for message in self.heard():
            told = message.get("params", {})
            here = message.get("method") == "textDocument/publishDiagnostics" and told["uri"] == uri
            if here and [one.get("code") for one in told["diagnostics"]] == rules:
                return time.perf_counter() - start
        raise SystemExit("the server has ended")

    def _pipe(self, pipe: IO[bytes] | None) -> IO[bytes]:
        assert pipe is not None
        return pipe


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--changes", type=int, default=10)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write(root, given.files)
        editor = Editor(root)
        editor.text("engine.py", ENGINE)
        out(f"{given.files} files; engine.py opened: {editor.shown('engine.py', []) * 1000:.0f} ms")
        editor.text("utils/dist.py", PLAIN)
        editor.shown("utils/dist.py", [])
        taken = []
        for number in range(1, given.changes + 1):
            editor.text("utils/dist.py", (WRAPS if number % 2 else PLAIN) + f"# {number}\n")
            taken.append(editor.shown("engine.py", ["missing-no-sync"] * (number % 2)) * 1000)
        out(f"utils/dist.py changed, engine.py shown: {statistics.median(taken):.0f} ms, at most {max(taken):.0f}")
        own = []
        for number in range(given.changes):
            editor.text("engine.py", ENGINE + f"# {number}\n")
            own.append(editor.shown("engine.py", []) * 1000)
        out(f"engine.py changed, engine.py shown: {statistics.median(own):.0f} ms, at most {max(own):.0f}")
        editor.process.kill()


if __name__ == "__main__":
    main()
