from torch import Tensor


class Mean:
    def __init__(self) -> None:
        self.total = 0.0
        self.count = 0

    def add(self, value: Tensor) -> None:
        self.total += value.item()
        self.count += 1

    def value(self) -> float:
        return self.total / self.count if self.count else float("nan")
