"""Records: frozen dataclasses with slots, of which a run makes hundreds of thousands.

The type checker holds that nothing changes them, not the running program: an `object.__setattr__` for each field, which
is how dataclasses hold it there, makes an object of eight fields five times as slow to make.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform

    _Kind = TypeVar("_Kind")

    @dataclass_transform(frozen_default=True, field_specifiers=(field,))
    def record(*, eq: bool = True, order: bool = False) -> Callable[[type[_Kind]], type[_Kind]]:
        """A frozen dataclass with slots; one without `eq` is equal to itself alone."""
        ...
else:

    def record(*, eq: bool = True, order: bool = False) -> Callable[[type], type]:
        """A dataclass with slots, which can be hashed; one without `eq` is equal to itself alone."""
        return dataclass(slots=True, eq=eq, order=order, unsafe_hash=eq)
