"""Runs a text under torch and hands back what it did.

    with Reality() as reality:
        outcome = reality.run(text)             # or reality.run(text, ranks=2)

One process loads torch once and forks for every run (for every rank of it). Nothing of a run reaches the next one.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import pickle
import random
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, TracebackType
from typing import IO, Any, final

from harm.outcome import Outcome, RankOutcome

TESTS = Path(__file__).parents[1]
LIMIT = 30.0  # seconds for a whole run; only a hanging one comes near
GRACE = 3.0  # seconds for a rank after another one has failed
PATIENCE = 15.0  # seconds for a rank after another one has finished
PRELOADED = ("accelerate", "lightning", "numpy")  # slow to import: loaded once, when a text names them
PRINTED = 20_000  # characters of standard output that are kept
HUNG = "Hung: killed"
LOST = "PeerLost: another rank went away"
DIED = "Died: no outcome"
TRIES = 3  # of a text on one rank that the machine, not the text, may have ended


@dataclass(frozen=True)
class Request:
    """What the process that forks is asked for."""

    text: str
    ranks: int
    watched: bool = True


@final
class Reality:
    """The process that has loaded torch; started when first asked."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Reality:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def run(self, text: str, ranks: int = 1, *, watched: bool = True) -> Outcome:
        """Execute `text` and call its `main()` in each of `ranks` processes.

        Where it is not `watched`, torch is as it is, and no more is known in the end than what `main()` returned.
        One rank alone waits for nobody: where it hangs, dies or loses a peer, that is the machine's doing more likely
        than the text's, and it is run again.
        """
        for _ in range(TRIES):
            outcome = self._run_once(Request(text, ranks, watched))
            if ranks > 1 or outcome.ranks[0].error not in {HUNG, LOST, DIED}:
                break
        return outcome

    def _run_once(self, request: Request) -> Outcome:
        if self._process is None:
            self._process = _start()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        pickle.dump(request, self._process.stdin)
        self._process.stdin.flush()
        outcome = pickle.load(self._process.stdout)
        assert isinstance(outcome, Outcome)
        return outcome

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.communicate()
            self._process = None


def _start() -> subprocess.Popen[bytes]:
    paths = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        [sys.executable, "-c", "from harm.reality import answer; answer()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"},
    )


def serve(requests: IO[bytes], replies: IO[bytes]) -> None:
    """Answer requests until there are no more."""
    _load_torch()
    while True:
        try:
            request = pickle.load(requests)
        except EOFError:
            return
        pickle.dump(_carry_out(request), replies)
        replies.flush()


def _load_torch() -> None:
    """Import what every run needs, and what torch itself imports at the first use."""
    import torch
    import torch.distributed.algorithms.ddp_comm_hooks.default_hooks
    import torch.func
    import torch.nn.parallel

    importlib.import_module("harm.recorder")
    torch.set_num_threads(1)
    parameter = torch.nn.Parameter(torch.zeros(1))
    for kind in (torch.optim.SGD, torch.optim.AdamW):
        optimizer = kind([parameter], lr=0.1)
        parameter.grad = torch.zeros(1)  # no backward here: autograd's threads would not survive a fork
        optimizer.step()
        optimizer.zero_grad()


def _carry_out(request: Request) -> Outcome:
    for name in PRELOADED:
        if name in request.text:
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
    with tempfile.TemporaryDirectory() as folder:
        children = [_Child(request, rank, folder, port) for port in [_free_port()] for rank in range(request.ranks)]
        return Outcome(tuple(_collect(children)))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class _Child:
    """One rank: a fork that writes its outcome into a pipe and ends when it is told."""

    def __init__(self, request: Request, rank: int, folder: str, port: int) -> None:
        self.result: RankOutcome | None = None
        self.data = b""
        self.pipe, write = os.pipe()
        read, self.leave = os.pipe()
        self.pid = os.fork()
        if self.pid:
            os.close(write)
            os.close(read)
            return
        status = 1
        try:
            os.close(self.leave)
            os.chdir(folder)
            _environment(request, rank, port)
            outcome = _in_child(request)
            with os.fdopen(write, "wb") as stream:
                pickle.dump(outcome, stream)
            if not outcome.error:  # the others may still need this one
                os.read(read, 1)
            status = 0
        except BaseException:  # noqa: BLE001 - nothing may return into the parent's code
            traceback.print_exc()
        finally:
            os._exit(status)

    def read(self) -> None:
        """Take what the pipe holds; at its end the outcome is known."""
        chunk = os.read(self.pipe, 1 << 20)
        self.data += chunk
        if not chunk:
            self.result = pickle.loads(self.data) if self.data else RankOutcome(error=DIED)

    def end(self) -> RankOutcome:
        """Let it go, or kill it if it has not answered."""
        if self.result is None:
            os.kill(self.pid, signal.SIGKILL)
            self.result = RankOutcome(error=HUNG)
        with contextlib.suppress(BrokenPipeError):
            os.write(self.leave, b".")  # closing it would not do: later ranks hold copies
        os.close(self.leave)
        os.close(self.pipe)
        os.waitpid(self.pid, 0)
        return self.result


def _collect(children: list[_Child]) -> list[RankOutcome]:
    deadline = time.monotonic() + LIMIT
    while waiting := [child for child in children if child.result is None]:
        ready, _, _ = select.select([child.pipe for child in waiting], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            break
        for child in waiting:
            if child.pipe in ready:
                child.read()
                if child.result is not None:
                    deadline = min(deadline, time.monotonic() + (GRACE if child.result.error else PATIENCE))
    return [child.end() for child in children]


def _environment(request: Request, rank: int, port: int) -> None:
    os.environ.update(HF_HUB_OFFLINE="1", ACCELERATE_USE_CPU="1")
    if request.ranks > 1:
        os.environ.update(
            RANK=str(rank),
            LOCAL_RANK=str(rank),
            WORLD_SIZE=str(request.ranks),
            MASTER_ADDR="127.0.0.1",
            MASTER_PORT=str(port),
        )
    sys.argv = ["train.py"]


def _in_child(request: Request) -> RankOutcome:
    from harm.recorder import Recorder

    printed = io.StringIO()
    recorder = Recorder()
    returned: Any = None
    error = ""
    with (
        recorder if request.watched else contextlib.nullcontext(),
        warnings.catch_warnings(),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("ignore")  # torch warns about some of the planted mistakes
        try:
            returned = _run_main(request.text)
        except (Exception, SystemExit) as caught:  # noqa: BLE001 - whatever the text raises is its outcome
            error = _first_line(caught)
            caught.__traceback__ = None
    return recorder.outcome(returned, error, printed.getvalue()[:PRINTED])


def _run_main(text: str) -> Any:
    seed()
    module = ModuleType("harm_case")
    sys.modules[module.__name__] = module
    exec(compile(text, "train.py", "exec"), module.__dict__)
    return module.__dict__["main"]()


def seed() -> None:
    """Every source of chance that a loop may use."""
    import torch

    random.seed(0)
    torch.manual_seed(0)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(0)


def _first_line(error: BaseException) -> str:
    text = str(error)
    if "gloo" in text or "Connection closed" in text or "Connection reset" in text:
        return LOST
    return f"{type(error).__name__}: {text.partition(chr(10))[0]}"


def answer() -> None:
    """Serve on the real standard output; what anybody prints goes to standard error."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(sys.stdin.buffer, replies)
