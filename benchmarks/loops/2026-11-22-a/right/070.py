import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from bicycle.nets import CycleGenerator, NLayerDiscriminator
from bicycle.unpaired import UnpairedFolders


class CycleGAN(pl.LightningModule):
    def __init__(self, lr=2e-4, lambda_cycle=10.0):
        super().__init__()
        self.save_hyperparameters()
        self.automatic_optimization = False
        self.ab, self.ba = CycleGenerator(), CycleGenerator()
        self.da, self.db = NLayerDiscriminator(), NLayerDiscriminator()

    def configure_optimizers(self):
        g = torch.optim.Adam([*self.ab.parameters(), *self.ba.parameters()], lr=self.hparams.lr, betas=(0.5, 0.999))
        d = torch.optim.Adam([*self.da.parameters(), *self.db.parameters()], lr=self.hparams.lr, betas=(0.5, 0.999))
        return g, d

    @staticmethod
    def lsgan(score, real):
        return F.mse_loss(score, torch.full_like(score, float(real)))

    def training_step(self, batch, batch_idx):
        a, b = batch
        opt_g, opt_d = self.optimizers()

        self.toggle_optimizer(opt_g)
        fake_b, fake_a = self.ab(a), self.ba(b)
        cycle = F.l1_loss(self.ba(fake_b), a) + F.l1_loss(self.ab(fake_a), b)
        g_loss = self.lsgan(self.db(fake_b), 1) + self.lsgan(self.da(fake_a), 1) + self.hparams.lambda_cycle * cycle
        opt_g.zero_grad()
        self.manual_backward(g_loss)
        self.clip_gradients(opt_g, gradient_clip_val=1.0, gradient_clip_algorithm="norm")
        opt_g.step()
        self.untoggle_optimizer(opt_g)

        self.toggle_optimizer(opt_d)
        d_loss = sum(
            0.5 * (self.lsgan(net(real), 1) + self.lsgan(net(fake.detach()), 0))
            for net, real, fake in ((self.da, a, fake_a), (self.db, b, fake_b))
        )
        opt_d.zero_grad()
        self.manual_backward(d_loss)
        self.clip_gradients(opt_d, gradient_clip_val=1.0, gradient_clip_algorithm="norm")
        opt_d.step()
        self.untoggle_optimizer(opt_d)
        self.log_dict({"g": g_loss, "d": d_loss}, prog_bar=True)


if __name__ == "__main__":
    loader = DataLoader(UnpairedFolders("horse2zebra"), batch_size=1, shuffle=True, num_workers=4)
    pl.Trainer(max_epochs=200, precision="bf16-mixed", accelerator="gpu", devices=1).fit(CycleGAN(), loader)
