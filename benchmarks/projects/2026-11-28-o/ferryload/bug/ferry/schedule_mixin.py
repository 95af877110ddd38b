import math

import torch


class ScheduleMixin:
    def setup_schedule(self):
        updates = self.epochs * math.ceil(len(self.batches) / self.accumulate)
        self.schedule = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, T_max=updates)

    def after_batch(self, loss):
        self.losses.append(loss.item())
        self.schedule.step()

    def after_update(self):
        self.updates += 1
