from __future__ import annotations

import torch
from torch.utils.data import DataLoader, TensorDataset

from polyphony.config import TrainConfig


def synth(cfg: TrainConfig, seed: int) -> TensorDataset:
    g = torch.Generator().manual_seed(seed)
    active = (torch.rand(cfg.clips, cfg.notes, generator=g) < 0.3).float()
    templates = torch.rand(cfg.notes, cfg.bands, generator=torch.Generator().manual_seed(11))
    spectra = active @ templates + 0.05 * torch.randn(cfg.clips, cfg.bands, generator=g)
    return TensorDataset(spectra, active)


def loaders(cfg: TrainConfig) -> tuple[DataLoader, DataLoader]:
    train = DataLoader(synth(cfg, 1), batch_size=cfg.batch_size, shuffle=True)
    valid = DataLoader(synth(cfg, 2), batch_size=48)
    return train, valid
