from dataclasses import dataclass


@dataclass(frozen=True)
class Windows:
    """Cuts the `total` batches of an epoch into windows of `every`."""

    every: int
    total: int

    def opens(self, step):
        return step % self.every == 0

    def closes(self, step):
        return (step + 1) % self.every == 0 or step + 1 == self.total

    def size(self, step):
        first = step - step % self.every
        return min(self.every, self.total - first)
