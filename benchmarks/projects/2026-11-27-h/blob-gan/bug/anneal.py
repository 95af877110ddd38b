from torch.optim import lr_scheduler


def make_anneal(kind, opt, epochs):
    if kind == "exp":
        return lr_scheduler.ExponentialLR(opt, gamma=0.8)
    if kind == "cosine":
        return lr_scheduler.CosineAnnealingLR(opt, T_max=epochs)
    raise KeyError(kind)
