import torch
from torch.utils.data import DataLoader, TensorDataset

from callbacks import Console, GradNormMonitor, LossScale
from settings import parse_settings
from trainer import Trainer
from vae import VAE


def toy(n=256):
    u = torch.rand(n, 1) * 6.28
    return torch.sin(u + torch.linspace(0, 3, 16)) + 0.05 * torch.randn(n, 16)


if __name__ == "__main__":
    settings = parse_settings()
    torch.manual_seed(0)
    vae = VAE(settings.latent)
    optimizer = torch.optim.Adam(vae.parameters(), lr=5e-3)
    monitor = GradNormMonitor()
    loader = DataLoader(TensorDataset(toy()), settings.batch_size, shuffle=True)
    Trainer(vae, optimizer, settings, [LossScale(), monitor, Console(monitor)]).fit(loader)
