from torch.nn.utils import clip_grad_norm_

from asr.meters import Average


class Callback:
    def on_epoch_start(self, loop):
        pass

    def on_gradients(self, loop):
        pass

    def on_batch_end(self, loop, loss):
        pass

    def on_epoch_end(self, loop):
        pass


class Unscale(Callback):
    def on_gradients(self, loop):
        loop.scaler.unscale_(loop.optimizer)


class GradientClip(Callback):
    def __init__(self, max_norm):
        self.max_norm = max_norm
        self.last = 0.0

    def on_gradients(self, loop):
        self.last = float(clip_grad_norm_(loop.model.parameters(), self.max_norm))


class LossLog(Callback):
    def __init__(self):
        self.meter = Average()

    def on_epoch_start(self, loop):
        self.meter.reset()

    def on_batch_end(self, loop, loss):
        self.meter.add(loss, loop.batch_size)

    def on_epoch_end(self, loop):
        print(f"epoch {loop.epoch} ctc {float(self.meter.value):.4f}")
