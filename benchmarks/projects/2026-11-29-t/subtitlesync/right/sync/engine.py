from torch.nn import functional as F

from .amp import forward_in, scaler_for
from .grads import limit


class Syncer:
    def __init__(self, cfg, net, optimizer):
        self.cfg, self.net, self.optimizer = cfg, net, optimizer
        self.scaler = scaler_for(cfg)

    def step(self, cue, offset):
        with forward_in(self.cfg):
            loss = F.l1_loss(self.net(cue), offset)
        self.scaler.scale(loss).backward()
        norm = limit(self.net, self.optimizer, self.cfg.clip, self.scaler)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()
        return loss.item(), norm
