import torch


def make_scaler(config):
    return torch.amp.GradScaler("cpu", init_scale=256.0)


def molten(config):
    return torch.autocast("cpu", dtype=config.dtype)
