from .amp import AmpStep
from .plain import PlainStep

__all__ = ["AmpStep", "PlainStep"]
