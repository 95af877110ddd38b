from typing import Callable


def every(n: int) -> Callable[[], bool]:
    seen = 0

    def due() -> bool:
        nonlocal seen
        seen += 1
        return seen % n == 0

    return due
