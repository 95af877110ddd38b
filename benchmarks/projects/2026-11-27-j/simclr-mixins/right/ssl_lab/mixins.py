from torch.nn.utils import clip_grad_norm_
from torch.optim.lr_scheduler import ExponentialLR


class ClipMixin:
    max_norm = 0.2

    def pre_step(self):
        super().pre_step()
        clip_grad_norm_(self.encoder.parameters(), self.max_norm)


class DecayMixin:
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.schedule = ExponentialLR(self.optimizer, gamma=0.6)

    def epoch_end(self, epoch):
        super().epoch_end(epoch)
        self.schedule.step()
