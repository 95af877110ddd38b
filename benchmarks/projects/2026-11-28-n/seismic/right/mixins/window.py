class WindowMixin:
    def share(self, loss):
        return loss / self.window

    def closes(self, index):
        return (index + 1) % self.window == 0 or index + 1 == len(self.traces)
