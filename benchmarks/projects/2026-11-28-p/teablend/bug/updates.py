from registry import UPDATES


@UPDATES.register("plain")
class Plain:
    def __init__(self, optimizer):
        self.optimizer = optimizer
        self.done = 0

    def __call__(self):
        self.optimizer.step()
        self.done += 1
