class Callback:
    def on_batch(self, loop):
        pass

    def on_update(self, loop):
        pass

    def on_tide(self, loop):
        pass


class LrMover(Callback):
    def __init__(self, schedule):
        self.schedule = schedule

    def on_update(self, loop):
        self.schedule.step()


class Printer(Callback):
    def on_tide(self, loop):
        rate = loop.optimizer.param_groups[0]["lr"]
        print(f"{loop.updates} updates of {loop.seen} batches, rate {rate:.4f}, loss {loop.last_loss:.4f}")
