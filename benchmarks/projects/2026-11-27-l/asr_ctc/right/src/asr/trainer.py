import logging

import torch
from torch import nn

from .accumulation import Accumulator
from .config import AsrConfig
from .model import FRAMES, LABELS
from .numerics import autocast, compute_dtype

log = logging.getLogger(__name__)


class Trainer:
    def __init__(self, cfg: AsrConfig, model: nn.Module, loader) -> None:
        self.cfg, self.model, self.loader = cfg, model, loader
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
        self.scaler = torch.amp.GradScaler("cpu", enabled=compute_dtype(cfg) is torch.float16)
        self.ctc = nn.CTCLoss()
        self.windows = Accumulator(cfg.window, len(loader))

    def loss(self, feats, labels):
        n = len(feats)
        with autocast(self.cfg):
            logp = self.model(feats)
        return self.ctc(logp.transpose(0, 1), labels, torch.full((n,), FRAMES), torch.full((n,), LABELS))

    def fit(self) -> None:
        self.optimizer.zero_grad()
        for epoch in range(self.cfg.epochs):
            self.model.train()
            total = 0.0
            for i, (feats, labels) in enumerate(self.loader):
                loss = self.loss(feats, labels)
                self.scaler.scale(self.windows.weigh(loss)).backward()
                total += loss.item()
                if self.windows.complete(i):
                    self.scaler.step(self.optimizer)
                    self.scaler.update()
                    self.optimizer.zero_grad()
            log.info("epoch %d ctc %.4f", epoch, total / len(self.loader))
