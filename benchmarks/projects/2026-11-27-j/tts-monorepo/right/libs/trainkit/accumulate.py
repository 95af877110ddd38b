from contextlib import nullcontext
from typing import Callable

from torch import Tensor


def backprop(ddp, closure: Callable[[], Tensor], window: int, closes: bool) -> float:
    with nullcontext() if closes else ddp.no_sync():
        loss = closure()
        (loss / window).backward()
    return loss.item()
