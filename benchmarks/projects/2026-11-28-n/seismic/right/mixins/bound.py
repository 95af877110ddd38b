from torch.nn.utils import clip_grad_norm_


class BoundMixin:
    most = 3.0

    def bound(self):
        clip_grad_norm_(self.net.parameters(), self.most)
