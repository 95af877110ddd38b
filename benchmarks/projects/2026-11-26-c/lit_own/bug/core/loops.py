import torch
from torch.utils.data import DataLoader

from core.module import TrainModule


class TrainEpochLoop:
    def __init__(self, module: TrainModule, optimizer: torch.optim.Optimizer, device: str):
        self.module = module
        self.optimizer = optimizer
        self.device = device

    def run(self, loader: DataLoader) -> None:
        self.module.train()
        for batch_idx, batch in enumerate(loader):
            batch = [t.to(self.device) for t in batch]
            self.advance(batch, batch_idx)

    def advance(self, batch, batch_idx: int) -> None:
        loss = self.module.training_step(batch, batch_idx)
        loss.backward()
        self.module.optimizer_step(self.optimizer)


class ValEpochLoop:
    def __init__(self, module: TrainModule, device: str):
        self.module = module
        self.device = device

    def run(self, loader: DataLoader) -> None:
        self.module.eval()
        with torch.no_grad():
            for batch_idx, batch in enumerate(loader):
                self.module.validation_step([t.to(self.device) for t in batch], batch_idx)
        self.module.on_validation_epoch_end()
