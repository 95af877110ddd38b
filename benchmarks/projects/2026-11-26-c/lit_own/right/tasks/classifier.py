import torch
from torch import Tensor, nn
from torch.nn import functional as F

from core.module import TrainModule


class Classifier(TrainModule):
    def __init__(self, in_dim: int = 10, classes: int = 3, lr: float = 0.05, clip: float = 1.0):
        super().__init__()
        self.lr = lr
        self.clip = clip
        self.net = nn.Sequential(nn.Linear(in_dim, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, classes))

    def forward(self, x: Tensor) -> Tensor:
        return self.net(x)

    def training_step(self, batch, batch_idx: int) -> Tensor:
        x, y = batch
        loss = F.cross_entropy(self(x), y)
        self.log("train_loss", loss.detach())
        return loss

    def validation_step(self, batch, batch_idx: int) -> None:
        x, y = batch
        self.log("val_acc", (self(x).argmax(1) == y).float().mean())

    def optimizer_step(self, optimizer: torch.optim.Optimizer) -> None:
        nn.utils.clip_grad_norm_(self.parameters(), self.clip)
        super().optimizer_step(optimizer)

    def configure_optimizers(self):
        optimizer = torch.optim.SGD(self.parameters(), lr=self.lr, momentum=0.9)
        return optimizer, [torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.8)]
