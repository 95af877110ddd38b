import torch
from torch import nn

from .base import Trainer
from .rates import cosine, updates


class VibrationTrainer(Trainer):
    def make_net(self):
        return nn.Sequential(nn.Linear(16, 5), nn.Tanh(), nn.Linear(5, 16))

    def make_optimizer(self):
        return torch.optim.SGD(self.net.parameters(), lr=0.2, momentum=0.5)

    def make_schedule(self):
        return cosine(self.optimizer, updates(self.batches, self.window, self.epochs))

    def loss_of(self, batch):
        return nn.functional.mse_loss(self.net(batch), batch)

    def after_micro(self, loss):
        self.history.append(round(loss.item(), 4))

    def before_step(self):
        nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)

    def after_step(self):
        self.schedule.step()
        self.optimizer.zero_grad()
