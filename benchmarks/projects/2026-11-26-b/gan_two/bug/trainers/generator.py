import torch
from torch.nn import functional as F

from .base import AdversarialTrainer


class GeneratorTrainer(AdversarialTrainer):
    def __init__(self, generator, critic, noise, lr, scaler):
        super().__init__(generator, lr, scaler)
        self.critic = critic
        self.noise = noise

    def before_update(self):
        self.critic.requires_grad_(False)

    def after_update(self):
        self.critic.requires_grad_(True)

    def loss(self, real):
        fake = self.net(torch.randn(len(real), self.noise))
        return F.softplus(-self.critic(fake).float()).mean()
