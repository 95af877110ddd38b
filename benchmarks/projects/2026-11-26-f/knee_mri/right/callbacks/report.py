from .base import Callback


class Report(Callback):
    def __init__(self):
        self.updates = 0

    def on_update_end(self, loop):
        self.updates += 1

    def on_epoch_end(self, loop):
        print(f"epoch {loop.epoch}  updates {self.updates}  psnr {loop.psnr():.2f}")
