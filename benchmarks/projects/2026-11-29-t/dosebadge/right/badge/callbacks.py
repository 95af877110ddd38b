import torch
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_


class Callback:
    def on_gradients(self, loop):
        pass

    def on_update(self, loop):
        pass

    def on_epoch(self, loop):
        pass


class ClipNorm(Callback):
    def __init__(self, limit):
        self.limit = limit

    def on_gradients(self, loop):
        clip_grad_norm_(loop.net.parameters(), self.limit)


class RateDecay(Callback):
    def __init__(self, schedule):
        self.schedule = schedule

    def on_epoch(self, loop):
        self.schedule.step()


class HeldOut(Callback):
    def __init__(self, batches):
        self.batches, self.scores = batches, []

    @torch.no_grad()
    def on_epoch(self, loop):
        loop.net.eval()
        total = 0.0
        for film, dose in self.batches:
            total += F.l1_loss(loop.net(film), dose).item()
        loop.net.train()
        self.scores.append(round(total / len(self.batches), 4))
