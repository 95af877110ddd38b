from torch.nn.utils import clip_grad_norm_


class GradientPolicy:
    def __init__(self, max_norm):
        self.max_norm = max_norm
        self.largest = 0.0

    def after_backward(self, model):
        norm = clip_grad_norm_(model.parameters(), self.max_norm)
        self.largest = max(self.largest, norm.item())
