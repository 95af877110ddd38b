from . import plain, windowed

__all__ = ["plain", "windowed"]
