"""gradlint finds PyTorch training loops that train silently wrong.

>>> import gradlint
>>> gradlint.check_source("x = 1")
[]
>>> gradlint.fix_source("x = 1").changed
False
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gradlint.api import Confidence as Confidence
    from gradlint.api import ConfigError as ConfigError
    from gradlint.api import Cure as Cure
    from gradlint.api import Edit as Edit
    from gradlint.api import Finding as Finding
    from gradlint.api import Fix as Fix
    from gradlint.api import FixResult as FixResult
    from gradlint.api import Safety as Safety
    from gradlint.api import Severity as Severity
    from gradlint.api import SourceError as SourceError
    from gradlint.api import Span as Span
    from gradlint.api import Unjudged as Unjudged
    from gradlint.api import check_source as check_source
    from gradlint.api import fix_source as fix_source
    from gradlint.api import unjudged_source as unjudged_source

__version__ = "0.1.0"
__all__ = [
    "Confidence",
    "ConfigError",
    "Cure",
    "Edit",
    "Finding",
    "Fix",
    "FixResult",
    "Safety",
    "Severity",
    "SourceError",
    "Span",
    "Unjudged",
    "__version__",
    "check_source",
    "fix_source",
    "unjudged_source",
]


def __getattr__(name: str) -> object:
    """Import the Python API on first use, so that `import gradlint` costs nothing."""
    if name in __all__:
        from gradlint import api

        return getattr(api, name)
    raise AttributeError(f"module 'gradlint' has no attribute {name!r}")
