import lightning as L
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, random_split

from bert4ts.data import TimeSeriesDataset
from bert4ts.model import Encoder


class Pretrain(L.LightningModule):
    def __init__(self, dim=256, lr=1e-4, mask_ratio=0.4, warmup=2000):
        super().__init__()
        self.save_hyperparameters()
        self.encoder = Encoder(dim)
        self.head = nn.Linear(dim, 1)

    def shared(self, series):
        mask = torch.rand_like(series) < self.hparams.mask_ratio
        out = self.head(self.encoder(series.masked_fill(mask, 0.0))).squeeze(-1)
        return F.mse_loss(out[mask], series[mask])

    def training_step(self, batch, batch_idx):
        loss = self.shared(batch)
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def validation_step(self, batch, batch_idx):
        self.log("val_loss", self.shared(batch), prog_bar=True)

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), lr=self.hparams.lr)
        scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1e-3, 1.0, total_iters=self.hparams.warmup)
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": scheduler, "interval": "step"}}


if __name__ == "__main__":
    train, valid = random_split(TimeSeriesDataset("monash"), [0.9, 0.1])
    trainer = L.Trainer(
        max_epochs=50, accumulate_grad_batches=8, gradient_clip_val=1.0, precision="16-mixed", devices=2, strategy="ddp"
    )
    trainer.fit(Pretrain(), DataLoader(train, 64, shuffle=True, num_workers=4), DataLoader(valid, 128, num_workers=4))
