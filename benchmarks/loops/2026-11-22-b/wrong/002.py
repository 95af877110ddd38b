import lightning as L
import torch
import torch.nn.functional as F
from torch import nn


class VQModel(L.LightningModule):
    def __init__(self, autoencoder: nn.Module, disc: nn.Module, lr: float = 4.5e-6, disc_start: int = 10_000):
        super().__init__()
        self.save_hyperparameters(ignore=["autoencoder", "disc"])
        self.automatic_optimization = False
        self.autoencoder = autoencoder
        self.disc = disc

    def configure_optimizers(self):
        opt_ae = torch.optim.Adam(self.autoencoder.parameters(), lr=self.hparams.lr, betas=(0.5, 0.9))
        opt_d = torch.optim.Adam(self.disc.parameters(), lr=self.hparams.lr, betas=(0.5, 0.9))
        return opt_ae, opt_d

    def training_step(self, batch, batch_idx):
        opt_ae, opt_d = self.optimizers()
        x = batch["image"]
        gan_weight = 0.1 if self.global_step >= self.hparams.disc_start else 0.0

        self.toggle_optimizer(opt_ae)
        rec, q_loss = self.autoencoder(x)
        ae_loss = F.l1_loss(rec, x) + q_loss - gan_weight * self.disc(rec).mean()
        opt_ae.zero_grad()
        self.manual_backward(ae_loss)
        self.clip_gradients(opt_ae, gradient_clip_val=1.0, gradient_clip_algorithm="norm")
        opt_ae.step()
        self.untoggle_optimizer(opt_ae)

        self.toggle_optimizer(opt_d)
        d_loss = 0.5 * (F.relu(1 - self.disc(x)).mean() + F.relu(1 + self.disc(rec.detach())).mean())
        opt_d.zero_grad()
        self.manual_backward(d_loss)
        opt_d.step()
        self.untoggle_optimizer(opt_d)
        self.log_dict({"ae": ae_loss.detach(), "d": d_loss.detach()}, prog_bar=True)

    def validation_step(self, batch, batch_idx):
        rec, _ = self.autoencoder(batch["image"])
        self.log("val/l1", F.l1_loss(rec, batch["image"]))


def main(autoencoder, disc, datamodule):
    model = VQModel(autoencoder, disc)
    trainer = L.Trainer(accelerator="gpu", devices=1, precision="16-mixed", max_epochs=50)
    trainer.fit(model, datamodule=datamodule)
