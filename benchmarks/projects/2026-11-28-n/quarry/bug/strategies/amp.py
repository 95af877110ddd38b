import torch
from torch.nn.utils import clip_grad_norm_


class AmpStep:
    def __init__(self, most):
        self.most = most
        self.scaler = torch.amp.GradScaler("cuda", enabled=torch.cuda.is_available())

    def cast(self):
        return torch.autocast("cuda", dtype=torch.float16, enabled=torch.cuda.is_available())

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def ready(self, net, optimizer):
        self.scaler.unscale_(optimizer)
        clip_grad_norm_(net.parameters(), self.most)

    def apply(self, optimizer):
        self.scaler.step(optimizer)
        optimizer.zero_grad()

    def close(self):
        self.scaler.update()
        return self.scaler.get_scale()
