import torch


class LeavesClean:
    """Mixin: the gradients are gone once the update is made."""

    def step(self, closure=None):
        out = super().step(closure)
        self.zero_grad(set_to_none=True)
        return out


class CleanRMSprop(LeavesClean, torch.optim.RMSprop):
    pass


class CleanAdam(LeavesClean, torch.optim.Adam):
    def __init__(self, params, lr):
        super().__init__(params, lr=lr, betas=(0.5, 0.999))


class PlainAdam(torch.optim.Adam):
    def __init__(self, params, lr):
        super().__init__(params, lr=lr, betas=(0.5, 0.999))


OPTIMIZERS = {"rmsprop": CleanRMSprop, "adam": CleanAdam}


def build_optimizer(kind, params, lr):
    return OPTIMIZERS[kind](params, lr=lr)


def trainable(module):
    return [p for p in module.parameters() if p.requires_grad]
