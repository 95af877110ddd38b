import torch
from torch.nn.utils import clip_grad_norm_


class Updates:
    def __init__(self, lamp, rate, most):
        self.lamp, self.most = lamp, most
        self.optimizer = torch.optim.SGD(lamp.parameters(), lr=rate, momentum=0.9)

    def begin(self):
        self.optimizer.zero_grad()

    def end(self):
        clip_grad_norm_(self.lamp.parameters(), self.most)
        self.optimizer.step()
