from collections.abc import Callable
from typing import Protocol


class Update(Protocol):
    def __call__(self) -> None: ...


class Scaler(Protocol):
    def scale(self, outputs): ...


OnLoss = Callable[..., None]
