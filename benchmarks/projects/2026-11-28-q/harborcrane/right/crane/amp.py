import torch

from crane.hoist import Hoist


class AmpHoist(Hoist):
    def __init__(self, net, optimizer, ramp, window):
        super().__init__(net, optimizer, ramp, window)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=64.0)

    def forward(self, batch):
        with torch.autocast("cpu", dtype=torch.float16):
            return super().forward(batch)

    def pull(self, loss):
        self.scaler.scale(loss / self.window).backward()

    def drop(self):
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()
