class Pulse:
    """Keeps the epoch's numbers and the learning rate."""

    def __init__(self, schedule):
        self.schedule = schedule
        self.losses, self.updates = [], 0

    def after_batch(self, value):
        self.losses.append(value)

    def after_window(self):
        self.updates += 1
        self.schedule.step()

    def report(self):
        mean = sum(self.losses) / len(self.losses)
        rate = self.schedule.get_last_lr()[0]
        self.losses = []
        return f"loss {mean:.4f}  rate {rate:.5f}  updates {self.updates}"
