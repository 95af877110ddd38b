from torch import nn


class KeepGradientsSmall:
    def __init__(self, module, limit):
        self.module, self.limit = module, limit

    def attach(self, events):
        events.on("gradients_ready", self.clip)

    def clip(self, **facts):
        nn.utils.clip_grad_norm_(self.module.parameters(), self.limit)


class AnnounceScene:
    def attach(self, events):
        events.on("act_end", self.announce)

    def announce(self, act, loss):
        print(f"act {act}: {loss:.4f}")
