class PlainPlan:
    weight = 1.0

    def __init__(self, window, total):
        self.total = total

    def closes(self, index):
        return True


class WindowPlan:
    def __init__(self, window, total):
        self.window, self.total = window, total
        self.weight = 1.0 / window

    def closes(self, index):
        return (index + 1) % self.window == 0 or index + 1 == self.total
