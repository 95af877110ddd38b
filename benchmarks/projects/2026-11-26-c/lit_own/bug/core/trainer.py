from dataclasses import dataclass
from typing import Optional

from torch.utils.data import DataLoader

from core.loops import TrainEpochLoop, ValEpochLoop
from core.module import TrainModule


@dataclass
class Trainer:
    max_epochs: int = 3
    device: str = "cpu"
    check_val_every_n_epoch: int = 1

    def fit(self, module: TrainModule, train: DataLoader, val: Optional[DataLoader] = None) -> None:
        module.to(self.device)
        optimizer, schedulers = module.configure_optimizers()
        module.schedulers = list(schedulers)
        train_loop = TrainEpochLoop(module, optimizer, self.device)
        val_loop = ValEpochLoop(module, self.device)

        optimizer.zero_grad()
        for epoch in range(self.max_epochs):
            module.on_train_epoch_start()
            train_loop.run(train)
            module.on_train_epoch_end()
            if val is not None and (epoch + 1) % self.check_val_every_n_epoch == 0:
                val_loop.run(val)
            print(f"epoch {epoch}: loss {module.mean('train_loss'):.4f} acc {module.mean('val_acc'):.3f}")
