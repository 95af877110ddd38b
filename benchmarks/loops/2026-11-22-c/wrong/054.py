from collections import defaultdict

import torch
import torch.nn.functional as F


class EmotionTrainer:
    weights = {"valence": 1.0, "arousal": 0.5}

    def __init__(self, model, loader, epochs=25):
        self.model, self.loader, self.epochs = model, loader, epochs
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=5e-4)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, epochs)
        self.history = defaultdict(list)

    def losses(self, clip, target):
        valence, arousal = self.model(clip).unbind(-1)
        return {
            "valence": F.mse_loss(valence, target[:, 0]),
            "arousal": F.mse_loss(arousal, target[:, 1]),
        }

    def train(self):
        for epoch in range(self.epochs):
            self.model.train()
            for clip, target in self.loader:
                parts = self.losses(clip, target)
                total = sum(self.weights[name] * part for name, part in parts.items())
                self.optimizer.zero_grad()
                total.backward()
                self.optimizer.step()
                self.history["total"].append(total)
            self.scheduler.step()
            recent = self.history["total"][-len(self.loader) :]
            print(epoch, float(sum(recent)) / len(recent))
        return self.history
