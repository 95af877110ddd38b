from dataclasses import dataclass


@dataclass
class TrainState:
    accum: int
    micro: int = 0
    updates: int = 0

    def begin(self):
        self.micro += 1

    def boundary(self):
        return (self.micro + 1) % self.accum == 0

    def end(self, updated):
        self.updates += int(updated)
