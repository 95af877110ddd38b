import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader, TensorDataset

__all__ = ["build_accelerator", "build_loaders", "build_optimizer"]


def build_accelerator(cfg):
    return Accelerator(cpu=True, gradient_accumulation_steps=cfg.accumulate)


def build_optimizer(model, cfg):
    decay = [p for p in model.parameters() if p.dim() > 1]
    plain = [p for p in model.parameters() if p.dim() <= 1]
    return torch.optim.SGD([{"params": decay, "weight_decay": 1e-4}, {"params": plain}], lr=cfg.lr, momentum=0.9)


def build_loaders(cfg):
    g = torch.Generator().manual_seed(cfg.seed)
    loaders = []
    for count in (72, 24):
        source = torch.randint(0, cfg.vocab, (count, cfg.length), generator=g)
        loaders.append(DataLoader(TensorDataset(source, source[:, ::3]), cfg.batch_size, shuffle=count == 72))
    return loaders
