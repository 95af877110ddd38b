import random

import torch
import torch.nn.functional as F


class EpisodicTrainer:
    """Prototypes from a support set, several episodes for each update."""

    def __init__(self, encoder, sample_episode, episodes_per_update=4, lr=1e-3):
        self.encoder = encoder
        self.sample_episode = sample_episode
        self.episodes_per_update = episodes_per_update
        self.optimizer = torch.optim.Adam(encoder.parameters(), lr=lr)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, step_size=2000, gamma=0.5)

    def episode_loss(self, support, query, labels):
        prototypes = self.encoder(support.flatten(0, 1)).view(*support.shape[:2], -1).mean(1)
        distances = torch.cdist(self.encoder(query), prototypes)
        return F.cross_entropy(-distances, labels)

    def update(self):
        losses = []
        for _ in range(self.episodes_per_update):
            support, query, labels = self.sample_episode(random.randrange(1 << 30))
            losses.append(self.episode_loss(support, query, labels))
        loss = torch.stack(losses).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.scheduler.step()
        return loss.item()

    def run(self, updates):
        self.encoder.train()
        curve = []
        for n in range(updates):
            curve.append(self.update())
            if n % 200 == 199:
                print(n + 1, sum(curve[-200:]) / 200)
        return curve
