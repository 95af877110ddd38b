from . import critic, generator  # noqa: F401  (fills the registry)
from .registry import PHASES
