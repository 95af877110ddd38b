import torch
from torch.nn.functional import mse_loss

from .base import Trainer


class CableTrainer(Trainer):
    """Half precision; the loss carries a scale until the update."""

    def __init__(self, net, optimizer, max_norm):
        super().__init__(net, optimizer, max_norm)
        self.scaler = torch.amp.GradScaler("cpu")

    def loss(self, batch):
        x, y = batch
        with torch.autocast("cpu", dtype=torch.float16):
            guess = self.net(x)
        return mse_loss(guess.float(), y)

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def ready_to_clip(self):
        self.scaler.unscale_(self.optimizer)

    def apply(self):
        self.scaler.step(self.optimizer)
        self.scaler.update()

    def before_epoch(self, epoch):
        super().before_epoch(epoch)
        self.net.train()
        self.scale_at_start = self.scaler.get_scale()
