import torch

from tab.data import loaders
from tab.mixins.accumulation import AccumulationMixin
from tab.mixins.amp import AmpMixin
from tab.models import Net
from tab.trainer import BaseTrainer


class TabularTrainer(AccumulationMixin, AmpMixin, BaseTrainer):
    accumulation = 4

    def begin_epoch(self, loader):
        super().begin_epoch(loader)
        self.total_batches = len(loader)

    def compute_loss(self, batch):
        x, y = batch
        with self.autocast():
            prediction = self.model(x)
        return torch.nn.functional.mse_loss(prediction.float(), y)


def main():
    torch.manual_seed(0)
    train_loader, valid_loader = loaders()
    model = Net(features=10)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    trainer = TabularTrainer(model, optimizer)
    for epoch in range(3):
        loss = trainer.train_epoch(train_loader)
        print(f"epoch {epoch}: train {loss:.4f} valid {trainer.validate(valid_loader):.4f}")


if __name__ == "__main__":
    main()
