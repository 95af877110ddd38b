import torch
import torch.nn.functional as F
from torch.cuda.amp import GradScaler, autocast

from vocoder.data import mel_loader
from vocoder.models import Generator, MultiPeriodDiscriminator, feature_loss


class VocoderTrainer:
    def __init__(self, hp):
        self.hp = hp
        self.nets = {"g": Generator(hp).cuda(), "d": MultiPeriodDiscriminator().cuda()}
        self.opts = {
            k: torch.optim.AdamW(n.parameters(), hp.lr, betas=(0.8, 0.99)) for k, n in self.nets.items()
        }
        self.scheds = {
            k: torch.optim.lr_scheduler.ExponentialLR(o, gamma=hp.lr_decay) for k, o in self.opts.items()
        }
        self.scalers = {k: GradScaler() for k in self.nets}

    def begin_epoch(self, epoch):
        for sched in self.scheds.values():
            sched.step()
        for net in self.nets.values():
            net.train()
        print(f"epoch {epoch} lr {self.scheds['g'].get_last_lr()[0]:.3e}")

    def discriminator(self, real, fake):
        with autocast():
            real_out, fake_out = self.nets["d"](real)[0], self.nets["d"](fake.detach())[0]
            loss = sum(((1 - r) ** 2).mean() + (f**2).mean() for r, f in zip(real_out, fake_out))
        self.opts["d"].zero_grad()
        self.scalers["d"].scale(loss).backward()
        self.scalers["d"].step(self.opts["d"])
        return loss.item()

    def generator(self, real, fake):
        with autocast():
            out, feats = self.nets["d"](fake)
            with torch.no_grad():
                _, target_feats = self.nets["d"](real)
            loss = 45 * F.l1_loss(fake, real) + 2 * feature_loss(feats, target_feats)
            loss = loss + sum(((1 - o) ** 2).mean() for o in out)
        self.opts["g"].zero_grad()
        self.scalers["g"].scale(loss).backward()
        self.scalers["g"].step(self.opts["g"])
        self.scalers["g"].update()
        return loss.item()

    def fit(self):
        loader = mel_loader(self.hp)
        for epoch in range(self.hp.epochs):
            self.begin_epoch(epoch)
            for i, (mel, wav) in enumerate(loader):
                wav = wav.cuda()
                with autocast():
                    fake = self.nets["g"](mel.cuda())
                d = self.discriminator(wav, fake)
                g = self.generator(wav, fake)
                if i % 100 == 0:
                    print(f"{epoch}/{i} g {g:.3f} d {d:.3f}")
