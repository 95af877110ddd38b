from contextlib import nullcontext

from torch import Tensor


def backprop(ddp, loss: Tensor, window: int, closes: bool) -> float:
    with nullcontext() if closes else ddp.no_sync():
        (loss / window).backward()
    return loss.item()
