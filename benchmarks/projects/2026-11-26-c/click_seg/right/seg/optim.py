import torch


def build_optimizer(model, cfg):
    decay, rest = [], []
    for name, p in model.named_parameters():
        (decay if p.ndim > 1 else rest).append(p)
    return torch.optim.AdamW(
        [{"params": decay, "weight_decay": cfg["weight_decay"]}, {"params": rest, "weight_decay": 0.0}],
        lr=cfg["lr"])


def make_scaler(cfg, device):
    return torch.amp.GradScaler(device, enabled=cfg["amp"] and cfg["amp_dtype"] == "float16")


def advance(scaler, optimizer):
    scaler.step(optimizer)
    scaler.update()
