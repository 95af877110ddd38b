import torch
import torch.nn.functional as F
from torch import nn

from gan.layers import Discriminator, Generator


class GANTrainer:
    def __init__(self, latent: int = 128, lr: float = 2e-4, device: str = "cuda"):
        self.device = device
        self.latent = latent
        self.g = Generator(latent).to(device)
        self.d = Discriminator().to(device)
        self.opt_g = torch.optim.Adam(self.g.parameters(), lr=lr, betas=(0.0, 0.9))
        self.opt_d = torch.optim.Adam(self.d.parameters(), lr=lr, betas=(0.0, 0.9))
        self.g_avg = torch.optim.swa_utils.AveragedModel(
            self.g, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.999)
        )

    def noise(self, n: int) -> torch.Tensor:
        return torch.randn(n, self.latent, device=self.device)

    @staticmethod
    def toggle(net: nn.Module, on: bool) -> None:
        for p in net.parameters():
            p.requires_grad_(on)

    def discriminator_step(self, real: torch.Tensor) -> float:
        self.toggle(self.d, True)
        with torch.no_grad():
            fake = self.g(self.noise(real.size(0)))
        loss = F.relu(1 - self.d(real)).mean() + F.relu(1 + self.d(fake)).mean()
        loss.backward()
        self.opt_d.step()
        return loss.item()

    def generator_step(self, n: int) -> float:
        self.toggle(self.d, False)
        loss = -self.d(self.g(self.noise(n))).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        self.g_avg.update_parameters(self.g)
        return loss.item()

    def fit(self, loader, steps: int, n_critic: int = 5):
        self.g.train()
        self.d.train()
        step = 0
        while step < steps:
            for real, _ in loader:
                d_loss = self.discriminator_step(real.to(self.device))
                if step % n_critic == 0:
                    g_loss = self.generator_step(real.size(0))
                step += 1
                if step % 500 == 0:
                    print(f"{step} d {d_loss:.3f} g {g_loss:.3f}")
        return self.g_avg
