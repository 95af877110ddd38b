from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.optim.lr_scheduler import CosineAnnealingLR

from polyphony.config import TrainConfig
from polyphony.trainer import Trainer


class NoteTagger(Trainer):
    def __init__(self, net: nn.Module, cfg: TrainConfig, train, valid) -> None:
        super().__init__(net, cfg, train, valid)
        updates = cfg.epochs * math.ceil(len(train) / cfg.accum)
        self.schedule = CosineAnnealingLR(self.optimizer, T_max=updates)

    def compute_loss(self, batch: tuple[Tensor, Tensor]) -> Tensor:
        spectra, active = batch
        return nn.functional.binary_cross_entropy_with_logits(self.net(spectra).float(), active)

    def update(self) -> None:
        nn.utils.clip_grad_norm_(self.net.parameters(), self.cfg.clip)
        super().update()

    def on_micro_batch_end(self) -> None:
        self.schedule.step()


def build_net(cfg: TrainConfig) -> nn.Module:
    torch.manual_seed(3)
    return nn.Sequential(
        nn.Linear(cfg.bands, 64), nn.GELU(), nn.Dropout(0.1), nn.Linear(64, cfg.notes)
    )
