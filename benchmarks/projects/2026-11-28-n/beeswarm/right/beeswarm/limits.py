from torch.nn.utils import clip_grad_norm_


class NormLimit:
    def __init__(self, most):
        self.most = most

    def __call__(self, optimizer, half=None):
        if half is not None:
            half.reveal(optimizer)
        held = [p for group in optimizer.param_groups for p in group["params"]]
        return float(clip_grad_norm_(held, self.most))
