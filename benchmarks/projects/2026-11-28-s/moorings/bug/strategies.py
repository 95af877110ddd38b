import torch
from torch.nn import functional as F

from registry import register


@register("single")
class Single:
    """An update for every batch, whatever the window says."""

    def __init__(self, model, optimizer, window):
        self.model, self.optimizer = model, optimizer

    def micro(self, x, y):
        self.optimizer.zero_grad()
        loss = F.mse_loss(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def close(self):
        pass


@register("half")
class Half:
    def __init__(self, model, optimizer, window):
        self.model, self.optimizer, self.window = model, optimizer, window
        self.scaler = torch.amp.GradScaler("cpu", init_scale=256.0)

    def micro(self, x, y):
        self.optimizer.zero_grad()
        loss = F.mse_loss(self.model(x).float(), y)
        self.scaler.scale(loss / self.window).backward()
        return loss.item()

    def close(self):
        self.scaler.unscale_(self.optimizer)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()
