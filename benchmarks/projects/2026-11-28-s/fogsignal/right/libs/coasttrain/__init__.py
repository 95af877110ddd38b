from .limits import limit
from .updates import finish

__all__ = ["limit", "finish"]
