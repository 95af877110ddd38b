import torch
from torch.nn import functional as F

from .contexts import Watch, batch_scope
from .norms import gradient_norm


class Session:
    def __init__(self, net, optimizer, limit):
        self.net, self.optimizer, self.limit = net, optimizer, limit
        self.scaler = torch.amp.GradScaler("cuda")
        self.watch = Watch()

    def train(self, batches):
        self.net.train()
        norms = []
        for sea, length in batches:
            with batch_scope(self.watch):
                self.optimizer.zero_grad()
                loss = F.smooth_l1_loss(self.net(sea), length)
                self.scaler.scale(loss).backward()
            norms.append(gradient_norm(self.scaler, self.optimizer, self.net))
            self.update()
        return round(max(norms), 4), round(loss.item(), 4)

    def update(self):
        self.scaler.unscale_(self.optimizer)
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.limit)
        self.scaler.step(self.optimizer)
        self.scaler.update()
