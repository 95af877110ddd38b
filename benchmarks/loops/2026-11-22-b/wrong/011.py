import pytorch_lightning as pl
import torch
from torch import nn
from torchmetrics import Accuracy


class LitAudioTagger(pl.LightningModule):
    def __init__(self, backbone, n_classes, lr=1e-4, accumulate=8, clip=1.0):
        super().__init__()
        self.automatic_optimization = False
        self.backbone = backbone
        self.head = nn.Linear(backbone.dim, n_classes)
        self.loss = nn.CrossEntropyLoss()
        self.acc = Accuracy(task="multiclass", num_classes=n_classes)
        self.lr, self.accumulate, self.clip = lr, accumulate, clip

    def forward(self, wav):
        return self.head(self.backbone(wav).mean(dim=1))

    def configure_optimizers(self):
        opt = torch.optim.AdamW(
            [
                {"params": self.backbone.parameters(), "lr": self.lr * 0.1},
                {"params": self.head.parameters(), "lr": self.lr},
            ]
        )
        sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.9)
        return [opt], [sched]

    def _boundary(self, batch_idx):
        return (batch_idx + 1) % self.accumulate == 0 or self.trainer.is_last_batch

    def training_step(self, batch, batch_idx):
        opt = self.optimizers()
        wav, label = batch
        logits = self(wav)
        loss = self.loss(logits, label)
        self.manual_backward(loss)
        self.acc(logits, label)
        self.log("train_loss", loss.detach() / self.accumulate, prog_bar=True)
        if self._boundary(batch_idx):
            self.clip_gradients(opt, gradient_clip_val=self.clip, gradient_clip_algorithm="norm")
            opt.step()
            opt.zero_grad()

    def on_train_epoch_end(self):
        self.log("train_acc", self.acc.compute())
        self.acc.reset()
        self.lr_schedulers().step()


def main(backbone, datamodule):
    trainer = pl.Trainer(accelerator="gpu", devices=1, precision=32, max_epochs=15)
    trainer.fit(LitAudioTagger(backbone, n_classes=50), datamodule=datamodule)
