from torch.nn.utils import clip_grad_norm_


class LimitMixin:
    limit = None

    def clip(self):
        self.scaler.unscale_(self.optimizer)
        if self.limit is not None:
            clip_grad_norm_(self.model.parameters(), self.limit)
