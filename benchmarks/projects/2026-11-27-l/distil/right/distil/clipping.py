from torch.nn.utils import clip_grad_norm_


class ClipMixin:
    max_norm = 1.0

    def clip(self):
        return clip_grad_norm_(self.student.parameters(), self.max_norm).item()
