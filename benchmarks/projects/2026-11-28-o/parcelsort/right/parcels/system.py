import torch
from torch import nn

from parcels.amp import make_autocast, make_scaler
from parcels.losses import routing_loss
from parcels.model import Sorter, parcels


class System:
    def __init__(self, cfg):
        torch.manual_seed(cfg.seed)
        self.cfg = cfg
        self.net = Sorter()
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=cfg.trainer.lr)
        self.scaler = make_scaler(cfg.precision)

    def train(self):
        for epoch in range(self.cfg.trainer.epochs):
            print(epoch, f"{self.epoch(parcels(18, seed=epoch)):.4f}")

    def epoch(self, batches):
        self.net.train()
        self.optimizer.zero_grad()
        losses = []
        for n, (x, chute) in enumerate(batches, 1):
            with make_autocast(self.cfg.precision):
                loss = routing_loss(self.net, self.criterion, (x, chute), self.cfg.trainer)
            self.scaler.scale(loss).backward()
            losses.append(loss.item())
            if n % self.cfg.trainer.micro_batches == 0 or n == len(batches):
                self.scaler.step(self.optimizer)
                self.scaler.update()
                self.optimizer.zero_grad()
        return sum(losses) / len(losses)
