class Updater:
    def __init__(self, optimizer, before=(), after=()):
        self.optimizer = optimizer
        self.before = list(before)
        self.after = list(after)
        self.count = 0

    def __call__(self):
        for hook in self.before:
            hook()
        self.optimizer.step()
        for hook in self.after:
            hook()
        self.optimizer.zero_grad()
        self.count += 1
