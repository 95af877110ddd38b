"""Where libraries are imported from: what an installer put there, never the folder at hand."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from unittest import mock

INSTALLED = frozenset(("site-packages", "dist-packages"))
OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "DO_NOT_TRACK": "1",
}
"""No library asks the network for anything."""


@contextlib.contextmanager
def trusted() -> Iterator[None]:
    """Imports come from where packages are installed, never from the folder at hand."""
    here = Path.cwd().resolve()
    kept = [one for one in sys.path if one and Path(one).resolve() != here]
    with mock.patch.object(sys, "path", kept):
        yield


def installed(name: str) -> bool:
    """Whether an installer put it there; asked without importing it, or what it stands in."""
    head, _, tail = name.partition(".")
    with trusted(), contextlib.suppress(ImportError, ValueError, AttributeError):
        spec = find_spec(head)
        origin = Path(spec.origin) if spec is not None and spec.origin else None
        there = origin is not None and bool(INSTALLED & set(origin.parts))
        return there and (not tail or (origin is not None and (origin.parent / tail).is_dir()))
    return False
