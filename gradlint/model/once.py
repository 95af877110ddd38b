"""Properties that are computed once: `functools.cached_property`, of which one asks no lock before Python 3.12."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

__all__ = ["cached_property"]

if TYPE_CHECKING:
    from functools import cached_property
else:

    class cached_property:  # noqa: N801  # it is called as the standard library's
        """What a method returns, kept in the object under its name."""

        def __init__(self, method: Callable[[Any], Any]) -> None:
            self.method = method
            self.__doc__ = method.__doc__

        def __set_name__(self, _: type, name: str) -> None:
            self.name = name

        def __get__(self, instance: Any, _: type | None = None) -> Any:
            if instance is None:
                return self
            found = instance.__dict__[self.name] = self.method(instance)
            return found
