from typing import Iterator, NamedTuple, Protocol

import torch


class StepOut(NamedTuple):
    loss: torch.Tensor
    size: int


class Stepper(Protocol):
    def open(self) -> None: ...

    def close(self) -> None: ...


class Views(Protocol):
    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]: ...
