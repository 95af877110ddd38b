from torch.nn.utils import clip_grad_norm_


class ClipMixin:
    limit = 1.0

    def clip(self):
        return clip_grad_norm_(self.net.parameters(), self.limit)
