import torch


def make_scaler(device, start=128.0):
    return torch.amp.GradScaler(device, init_scale=start)
