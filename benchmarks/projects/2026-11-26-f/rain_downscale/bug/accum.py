"""Two context managers: an update of several parts, and one part of it."""
from contextlib import ExitStack


class Update:
    def __init__(self, optimizer):
        self.optimizer = optimizer

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            self.optimizer.step()


class Part:
    def __init__(self, model, optimizer, position, size):
        self.model, self.optimizer = model, optimizer
        self.quiet = position < size - 1
        self.stack = ExitStack()

    def __enter__(self):
        self.stack.__enter__()
        self.optimizer.zero_grad()
        if self.quiet:
            self.stack.enter_context(self.model.no_sync())
        return self

    def __exit__(self, *error):
        return self.stack.__exit__(*error)

    @property
    def rate(self):
        return self.optimizer.param_groups[0]["lr"]
