import torch

KINDS = {"adamw": torch.optim.AdamW, "sgd": torch.optim.SGD}


def build_optimizer(net, cfg):
    """The optimizer, and the parameters that it holds."""
    held = list(filter(lambda p: p.requires_grad, net.parameters()))
    options = {name: value for name, value in cfg.items() if name != "name"}
    return KINDS[cfg["name"]](held, **options), held
