from torch.optim.lr_scheduler import CosineAnnealingLR


class RateMixin:
    def setup_rates(self, moves):
        self.schedule = CosineAnnealingLR(self.optimizer, T_max=moves)

    def advance(self):
        self.schedule.step()
