import lightning.pytorch as pl
import torch
import torch.nn.functional as F
from lightning.pytorch.callbacks import LearningRateMonitor, ModelCheckpoint
from lightning.pytorch.utilities import grad_norm
from torch import nn
from transformers import get_cosine_schedule_with_warmup


class LitSegmenter(pl.LightningModule):
    def __init__(self, net: nn.Module, lr: float = 6e-5, weights=None):
        super().__init__()
        self.net = net
        self.lr = lr
        self.register_buffer("weights", torch.as_tensor(weights) if weights is not None else None)

    def _loss(self, batch):
        logits = F.interpolate(self.net(batch["image"]), size=batch["mask"].shape[-2:], mode="bilinear")
        return F.cross_entropy(logits, batch["mask"], weight=self.weights, ignore_index=255), logits

    def training_step(self, batch, batch_idx):
        loss, logits = self._loss(batch)
        with torch.no_grad():
            hit = (logits.argmax(1) == batch["mask"]).float().mean()
        self.log_dict({"train/loss": loss, "train/pixel_acc": hit})
        return loss

    def on_before_optimizer_step(self, optimizer):
        if self.global_step % 50 == 0:
            self.log_dict(grad_norm(self.net, norm_type=2))

    def validation_step(self, batch, batch_idx):
        loss, _ = self._loss(batch)
        self.log("val/loss", loss, sync_dist=True)

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.net.parameters(), lr=self.lr, weight_decay=0.01)
        total = self.trainer.estimated_stepping_batches
        schedule = get_cosine_schedule_with_warmup(optimizer, total // 20, total)
        return [optimizer], [{"scheduler": schedule, "interval": "step"}]


def main(net, datamodule):
    trainer = pl.Trainer(
        max_epochs=60,
        devices=4,
        strategy="ddp",
        precision="16-mixed",
        accumulate_grad_batches=4,
        gradient_clip_val=1.0,
        callbacks=[ModelCheckpoint(monitor="val/loss"), LearningRateMonitor("step")],
    )
    trainer.fit(LitSegmenter(net), datamodule=datamodule)
