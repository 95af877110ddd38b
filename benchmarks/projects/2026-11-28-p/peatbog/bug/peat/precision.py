import torch


def make_precision(name):
    dtype = torch.bfloat16 if name == "bf16" else torch.float16
    scaler = torch.amp.GradScaler("cpu")
    return dtype, scaler
