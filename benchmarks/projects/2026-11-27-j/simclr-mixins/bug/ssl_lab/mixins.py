from torch.nn.utils import clip_grad_norm_
from torch.optim.lr_scheduler import ExponentialLR


class ClipMixin:
    max_norm = 0.2

    def micro_batch_end(self):
        super().micro_batch_end()
        clip_grad_norm_(self.encoder.parameters(), self.max_norm)


class DecayMixin:
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.schedule = ExponentialLR(self.optimizer, gamma=0.6)

    def epoch_start(self, epoch):
        super().epoch_start(epoch)
        self.schedule.step()
