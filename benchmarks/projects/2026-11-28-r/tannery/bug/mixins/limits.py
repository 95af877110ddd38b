from torch.nn.utils import clip_grad_norm_

from settings import MAX_NORM


class LimitMixin:
    def limit(self):
        self.scaler.unscale_(self.optimizer)
        return clip_grad_norm_(self.net.parameters(), MAX_NORM)
