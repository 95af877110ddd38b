import math


class Callback:
    def on_batch_end(self, loop, loss):
        pass

    def on_update_end(self, loop):
        pass

    def on_epoch_end(self, loop):
        pass


class LRSchedule(Callback):
    def __init__(self, scheduler):
        self.scheduler = scheduler

    def on_update_end(self, loop):
        self.scheduler.step()


class Perplexity(Callback):
    def __init__(self):
        self.losses = []

    def on_batch_end(self, loop, loss):
        self.losses.append(loss.item())

    def on_epoch_end(self, loop):
        mean = sum(self.losses) / len(self.losses)
        rate = loop.optimizer.param_groups[0]["lr"]
        print(f"updates {loop.updates} ppl {math.exp(min(mean, 20)):.2f} lr {rate:.2e}")
        self.losses.clear()
