import torch

from .gradients import bounded
from .losses import aberration, add_smoothness


class Grinder:
    def __init__(self, net, cfg):
        self.net, self.cfg = net, cfg
        self.optimizer = torch.optim.SGD(net.parameters(), lr=cfg.lr)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)

    def polish(self, batches):
        self.net.train()
        for rays, focus in batches:
            self.optimizer.zero_grad()
            with torch.autocast("cpu", dtype=torch.float16):
                loss = aberration(self.net(rays), focus)
            self.scaler.scale(loss).backward()
            extra = add_smoothness(self.net, self.cfg.smooth, self.scaler)
            norm = bounded(self.optimizer, self.scaler, self.cfg.max_norm)
            self.scaler.step(self.optimizer)
            self.scaler.update()
        return round(loss.item(), 4), round(extra, 5), round(norm, 3)
