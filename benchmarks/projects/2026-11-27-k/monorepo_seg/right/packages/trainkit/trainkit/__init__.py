from .loops import Cadence, in_groups

__all__ = ["Cadence", "in_groups"]
