import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from torchmetrics.classification import MulticlassAccuracy

from pointnet.model import PointTransformer


class PointCloudClassifier(pl.LightningModule):
    def __init__(self, classes=40, lr=5e-4, accumulate=6):
        super().__init__()
        self.save_hyperparameters()
        self.automatic_optimization = False
        self.net = PointTransformer(classes)
        self.acc = MulticlassAccuracy(classes)

    def forward(self, points):
        return self.net(points)

    def training_step(self, batch, batch_idx):
        points, label = batch
        opt = self.optimizers()
        opt.zero_grad()
        loss = F.cross_entropy(self(points), label)
        self.manual_backward(loss / self.hparams.accumulate)
        if (batch_idx + 1) % self.hparams.accumulate == 0 or self.trainer.is_last_batch:
            opt.step()
        self.log("train/loss", loss, prog_bar=True)

    def validation_step(self, batch, batch_idx):
        points, label = batch
        self.acc(self(points), label)
        self.log("val/acc", self.acc, on_epoch=True)

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=self.hparams.lr)


if __name__ == "__main__":
    from pointnet.data import ModelNetData

    pl.seed_everything(3)
    trainer = pl.Trainer(max_epochs=200, accelerator="gpu", devices=1, gradient_clip_val=None)
    trainer.fit(PointCloudClassifier(), ModelNetData("data/modelnet40", batch_size=8))
