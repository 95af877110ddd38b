import lightning.pytorch as pl
import torch
import torch.nn.functional as F
from transformers import get_linear_schedule_with_warmup

from ctr.model import DeepFM


class CTRModule(pl.LightningModule):
    def __init__(self, fields, lr=1e-3, accumulate=4, total_updates=100_000):
        super().__init__()
        self.save_hyperparameters()
        self.automatic_optimization = False
        self.model = DeepFM(fields)

    def configure_optimizers(self):
        optimizer = torch.optim.Adam(self.parameters(), lr=self.hparams.lr)
        scheduler = get_linear_schedule_with_warmup(optimizer, 1000, self.hparams.total_updates)
        return [optimizer], [scheduler]

    def training_step(self, batch, batch_idx):
        features, click = batch
        optimizer = self.optimizers()
        scheduler = self.lr_schedulers()
        n = self.hparams.accumulate
        loss = F.binary_cross_entropy_with_logits(self.model(features), click)
        self.manual_backward(loss / n)
        if (batch_idx + 1) % n == 0 or self.trainer.is_last_batch:
            self.clip_gradients(optimizer, gradient_clip_val=1.0, gradient_clip_algorithm="norm")
            optimizer.step()
            optimizer.zero_grad()
        scheduler.step()
        self.log("loss", loss.detach())


def run(datamodule):
    trainer = pl.Trainer(max_epochs=1, precision="32-true", accelerator="auto", devices=1)
    trainer.fit(CTRModule(datamodule.fields), datamodule)
