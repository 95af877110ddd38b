from .amp import AmpMixin
from .clip import ClipMixin
from .norms import NormLogMixin
