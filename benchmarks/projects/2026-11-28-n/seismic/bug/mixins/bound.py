from torch.nn.utils import clip_grad_norm_


class BoundMixin:
    most = 3.0

    def bound(self):
        self.scaler.unscale_(self.optimizer)
        clip_grad_norm_(self.net.parameters(), self.most)
