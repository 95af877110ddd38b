"""One run in one process of its own: forked, limited, cut off, and gone with everything it started.

    warm process ──fork──► child: new session, empty environment, temporary folder, limits, an audit hook
         │                   │
         │◄────── JSON ──────┘          past the deadline the whole process group is killed
         ▼
      Outcome

Nothing of a loop is executed by Python, so all of this is the second wall, not the first. It holds what
the machine itself may be talked into: endless walks, large numbers, large tensors.
"""

from __future__ import annotations

import contextlib
import gc
import json
import math
import os
import select
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from gradlint.verify.reasons import Reason

MEGABYTE = 1 << 20
REFUSED_EVENTS = frozenset(
    """os.fork os.forkpty os.system os.exec os.posix_spawn os.spawn os.startfile os.kill os.killpg os.chmod os.chown
    os.link os.symlink os.putenv subprocess.Popen pty.spawn socket.connect socket.bind socket.sendto
    socket.sendmsg socket.getaddrinfo socket.gethostbyname ctypes.dlopen urllib.Request webbrowser.open
    ftplib.connect smtplib.connect""".split()
)
PLACED_EVENTS = frozenset("open os.remove os.rename os.rmdir os.mkdir os.truncate shutil.rmtree".split())
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


@dataclass(frozen=True)
class Limits:
    """What one run may use.

    `processor` is counted in seconds of CPU time, so that other work on the machine changes no verdict. `patience` is
    the wall clock's, and only a safety net: for what waits and does nothing. `memory` counts what is allocated beyond
    the warm process; 0 sets no limit.
    """

    processor: float = 20.0
    patience: float = 120.0
    memory: int = 1536 * MEGABYTE
    file_size: int = 4 * MEGABYTE


@dataclass(frozen=True)
class Outcome:
    """The JSON value a run sent, or the reason why it sent none; `spent` is the CPU time it took, in seconds."""

    value: Any = None
    reason: Reason | None = None
    detail: str = ""
    spent: float = 0.0


def supported() -> bool:
    """Whether this system can fork."""
    return hasattr(os, "fork")


def isolated(job: Callable[[int], Any], limits: Limits, ranks: int = 1) -> Outcome:
    """Run a job in a child, once for each rank; what it returns for rank 0 must be fit for JSON."""
    with tempfile.TemporaryDirectory(prefix="gradlint-", ignore_cleanup_errors=True) as folder:
        reading, writing = os.pipe()
        child = _fork()
        if child == 0:
            os.close(reading)
            _child(job, writing, folder, limits, ranks)
        os.close(writing)
        try:
            data, late = _read(reading, time.monotonic() + limits.patience)
        finally:
            os.close(reading)
            status, spent = _bury(child)
    return replace(_outcome(data, late, status, spent, limits), spent=spent)


def _fork() -> int:
    """Fork. Newer Pythons warn of other threads: torch starts some at import, and none of them holds a lock."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _read(reading: int, deadline: float) -> tuple[bytes, bool]:
    """Everything the child sends, and whether it is too late."""
    pieces: list[bytes] = []
    while True:
        rest = deadline - time.monotonic()
        if rest <= 0 or not select.select([reading], [], [], rest)[0]:
            return b"".join(pieces), True
        piece = os.read(reading, 1 << 16)
        if not piece:
            return b"".join(pieces), False
        pieces.append(piece)


def _bury(child: int) -> tuple[int, float]:
    """Kill the child's whole group, whether it has ended or not, and collect it: its status and its CPU time."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)  # where it had no time to make a group of its own
    _, status, usage = os.wait4(child, 0)
    return status, usage.ru_utime + usage.ru_stime


def _outcome(data: bytes, late: bool, status: int, spent: float, limits: Limits) -> Outcome:
    if late:
        waited = f"waited {limits.patience:.3g} seconds for a run that had used {spent:.1f} of CPU time"
        return Outcome(None, Reason.LIMIT, f"{waited}: the machine is busy, or the run waits for something")
    try:
        message = json.loads(data)
    except ValueError:
        ended = os.waitstatus_to_exitcode(status)
        if ended == -signal.SIGXCPU or spent >= limits.processor:
            return Outcome(None, Reason.ENDLESS, f"stopped after {spent:.0f} seconds of CPU time")
        why = f"signal {-ended}" if ended < 0 else f"status {ended}"
        return Outcome(None, Reason.LIMIT, f"the run ended without a word ({why})")
    if "value" in message:
        return Outcome(message["value"])
    return Outcome(None, Reason(message["reason"]), str(message["detail"]))


# ---------------------------------------------------------------------- in the child


def _child(job: Callable[[int], Any], writing: int, folder: str, limits: Limits, ranks: int) -> None:
    """Never returns: whatever happens, this process ends here."""
    try:
        _settle(writing, folder, limits)
        rank = next((rank for rank in range(1, ranks) if _fork() == 0), 0)
        if rank:
            os.close(writing)  # the parent waits for its end, and only the first rank answers
        gc.freeze()  # what the warm process has loaded is never looked through again
        sys.addaudithook(_watch(os.path.realpath(folder)))
        message = _message(job, rank)
        if rank:
            return
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(message)
    finally:
        os._exit(0)


def _message(job: Callable[[int], Any], rank: int) -> bytes:
    try:
        said = {"value": job(rank)}
    except MemoryError:
        said = {"reason": Reason.LIMIT.value, "detail": "memory"}
    except RecursionError:
        said = {"reason": Reason.LIMIT.value, "detail": "nested too deep"}
    except PermissionError as error:
        said = {"reason": Reason.REFUSED.value, "detail": str(error)}
    except Exception as error:  # noqa: BLE001 - told to the parent, which is another process
        said = {"reason": Reason.SURROGATE.value, "detail": f"internal: {type(error).__name__}: {error}"[:300]}
    return json.dumps(said).encode()


def _settle(writing: int, folder: str, limits: Limits) -> None:
    """Leave the parent's group, folder, environment and files; take on the limits."""
    os.setsid()
    for one in (signal.SIGINT, signal.SIGTERM, signal.SIGXFSZ):
        signal.signal(one, signal.SIG_DFL)
    os.chdir(folder)
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    _close_but(writing)
    os.environ.clear()
    os.environ.update(HOME=folder, TMPDIR=folder, OMP_NUM_THREADS="1")
    if sys.platform == "linux":
        os.environ["GLOO_SOCKET_IFNAME"] = "lo"  # two ranks talk inside this machine only
    sys.dont_write_bytecode = True
    _limit(limits)


def _close_but(kept: int) -> None:
    """Close every file of the parent's except the way back."""
    os.closerange(3, kept)
    os.closerange(kept + 1, kept + 1024)


def _limit(limits: Limits) -> None:
    import resource

    for kind, most in (
        (resource.RLIMIT_CPU, math.ceil(limits.processor)),
        (resource.RLIMIT_FSIZE, limits.file_size),
        (resource.RLIMIT_CORE, 0),
    ):
        spare = 1 if kind == resource.RLIMIT_CPU else 0  # the softer signal comes first, and tells what it was
        resource.setrlimit(kind, (most, most + spare))
    if limits.memory:
        most = _in_use() + limits.memory
        with contextlib.suppress(ValueError, OSError):  # macOS refuses
            resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _in_use() -> int:
    """The address space in use now; torch alone maps hundreds of megabytes."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 16 << 30


def _watch(folder: str) -> Callable[[str, tuple[Any, ...]], None]:
    """An audit hook: no processes, no network, no writing outside the temporary folder. It cannot be removed."""

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event in REFUSED_EVENTS:
            raise PermissionError(f"{event} is refused in the wet run")
        if event in PLACED_EVENTS and _writes(event, args) and not _inside(args[0], folder):
            raise PermissionError(f"{event} outside of the temporary folder is refused in the wet run")

    return hook


def _writes(event: str, args: tuple[Any, ...]) -> bool:
    if event != "open":
        return True
    mode, flags = args[1], args[2]
    if isinstance(mode, str):
        return bool(set(mode) & set("wax+"))
    return isinstance(flags, int) and bool(flags & WRITING)


def _inside(path: Any, folder: str) -> bool:
    if isinstance(path, int) or path is None:
        return True  # a file that is open already
    name = os.path.realpath(os.fsdecode(path))
    return name == os.devnull or name.startswith(folder + os.sep)
