"""Mixed precision for the CPU build."""
import torch


def half_precision():
    return torch.autocast("cpu", dtype=torch.float16)


def new_scaler():
    return torch.amp.GradScaler("cpu", init_scale=2.0**12, growth_interval=1000)
