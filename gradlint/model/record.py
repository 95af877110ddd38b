"""Records: data classes, of which the program has hundreds and a run makes hundreds of thousands.

The type checker holds that nothing changes a frozen one, not the running program: an `object.__setattr__` for each
field, which is how the standard library holds it there, makes an object of eight fields five times as slow to make. And
what the standard library writes for a class (how one is made, compared, hashed, shown) it writes when the class is
read, which was a third of the run over one file; here a method is written when it is first called.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING, TypeVar

__all__ = ["dataclass", "record", "replace"]

if TYPE_CHECKING:
    from dataclasses import dataclass, replace

    from typing_extensions import dataclass_transform

    _Kind = TypeVar("_Kind")

    @dataclass_transform(frozen_default=True, field_specifiers=(field,))
    def record(*, eq: bool = True, order: bool = False) -> Callable[[type[_Kind]], type[_Kind]]:
        """A frozen dataclass with slots; one without `eq` is equal to itself alone."""
        ...
else:
    from gradlint.model.written import replace, written

    def dataclass(
        cls: type | None = None, *, slots: bool = False, eq: bool = True, order: bool = False, frozen: bool = False
    ) -> type | Callable[[type], type]:
        """A dataclass; nothing changes a frozen one, and nothing holds it there."""
        if cls is None:
            return lambda made: written(made, eq=eq, order=order, hashed=eq and frozen, slots=slots)
        return written(cls, eq=eq, order=order, hashed=False, slots=False)

    def record(*, eq: bool = True, order: bool = False) -> Callable[[type], type]:
        """A dataclass with slots, which can be hashed; one without `eq` is equal to itself alone."""
        return lambda made: written(made, eq=eq, order=order, hashed=eq, slots=True)
