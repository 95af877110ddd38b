import lightning as L
import torch
import torch.nn.functional as F

from voice.models import Discriminator, Vocoder
from voice.spectral import mel_spectrogram


class VocoderModule(L.LightningModule):
    def __init__(self, lr: float = 2e-4, lambda_mel: float = 45.0, clip: float = 1.0):
        super().__init__()
        self.save_hyperparameters()
        self.automatic_optimization = False
        self.generator = Vocoder()
        self.discriminator = Discriminator()

    def configure_optimizers(self):
        g = torch.optim.AdamW(self.generator.parameters(), lr=self.hparams.lr, betas=(0.8, 0.99))
        d = torch.optim.AdamW(self.discriminator.parameters(), lr=self.hparams.lr, betas=(0.8, 0.99))
        return g, d

    def training_step(self, batch, batch_idx):
        mel, wav = batch
        opt_g, opt_d = self.optimizers()
        fake = self.generator(mel)

        self.toggle_optimizer(opt_d)
        real_score, fake_score = self.discriminator(wav), self.discriminator(fake.detach())
        d_loss = ((1 - real_score) ** 2).mean() + (fake_score**2).mean()
        opt_d.zero_grad()
        self.manual_backward(d_loss)
        opt_d.step()
        self.untoggle_optimizer(opt_d)

        self.toggle_optimizer(opt_g)
        mel_loss = F.l1_loss(mel_spectrogram(fake), mel)
        g_loss = ((1 - self.discriminator(fake)) ** 2).mean() + self.hparams.lambda_mel * mel_loss
        opt_g.zero_grad()
        self.manual_backward(g_loss)
        self.clip_gradients(opt_g, gradient_clip_val=self.hparams.clip, gradient_clip_algorithm="norm")
        opt_g.step()
        self.untoggle_optimizer(opt_g)
        self.log_dict({"d": d_loss, "g": g_loss, "mel": mel_loss}, prog_bar=True)


if __name__ == "__main__":
    from voice.data import VoiceData

    trainer = L.Trainer(accelerator="gpu", devices=1, precision="16-mixed", max_steps=400_000)
    trainer.fit(VocoderModule(), VoiceData("filelists/train.txt"))
