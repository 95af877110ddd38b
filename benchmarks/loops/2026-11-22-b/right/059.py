import logging

import torch
from torch import nn

log = logging.getLogger(__name__)


class Window:
    """What was gathered since the last update."""

    def __init__(self, size):
        self.size = size
        self.restart()

    def restart(self):
        self.done = 0
        self.loss = 0.0

    def add(self, value):
        self.done += 1
        self.loss += value
        return self.done == self.size


class RobustLoop:
    MAX_ERRORS = 10

    def __init__(self, model: nn.Module, optimizer: torch.optim.Optimizer, window: int, clip: float):
        self.model = model
        self.optimizer = optimizer
        self.window = Window(window)
        self.clip = clip
        self.errors = 0

    def forward_backward(self, wavs, texts):
        loss = self.model(wavs, texts)
        (loss / self.window.size).backward()
        return loss.item()

    def recover(self, error):
        if "out of memory" not in str(error):
            raise error
        self.errors += 1
        if self.errors > self.MAX_ERRORS:
            raise error
        log.warning("out of memory, %d micro-batches are thrown away", self.window.done + 1)
        self.optimizer.zero_grad(set_to_none=True)
        self.window.restart()
        torch.cuda.empty_cache()

    def run(self, stream, updates):
        self.model.train()
        done = 0
        while done < updates:
            wavs, texts = next(stream)
            try:
                value = self.forward_backward(wavs, texts)
            except RuntimeError as error:
                self.recover(error)
                continue
            if not self.window.add(value):
                continue
            norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
            if torch.isfinite(norm):
                self.optimizer.step()
                done += 1
                self.errors = 0
                log.info("update %d loss %.4f norm %.2f", done, self.window.loss / self.window.size, norm)
            self.optimizer.zero_grad(set_to_none=True)
            self.window.restart()


def main(model, stream):
    optimizer = torch.optim.Adam((p for p in model.parameters() if p.requires_grad), lr=1e-4)
    RobustLoop(model, optimizer, window=4, clip=1.0).run(stream, updates=200_000)
