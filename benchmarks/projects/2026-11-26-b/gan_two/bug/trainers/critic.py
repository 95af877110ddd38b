import torch
from torch.nn import functional as F

from .base import AdversarialTrainer


class CriticTrainer(AdversarialTrainer):
    def __init__(self, critic, generator, noise, lr, scaler):
        super().__init__(critic, lr, scaler)
        self.generator = generator
        self.noise = noise

    def loss(self, real):
        with torch.no_grad():
            fake = self.generator(torch.randn(len(real), self.noise))
        real_score, fake_score = self.net(real).float(), self.net(fake).float()
        self.drift = real_score.square().mean()
        return F.softplus(-real_score).mean() + F.softplus(fake_score).mean()

    def backward(self, loss):
        (loss + 1e-3 * self.drift).backward()
