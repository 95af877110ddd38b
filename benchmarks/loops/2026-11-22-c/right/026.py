import torch
import torch.nn.functional as F
from torch import nn


class SmoothedCrossEntropy(nn.Module):
    def __init__(self, smoothing=0.1):
        super().__init__()
        self.smoothing = smoothing
        self.denominator = 1

    def forward(self, logits, target):
        loss = F.cross_entropy(logits, target, label_smoothing=self.smoothing)
        return loss / self.denominator


class ImageNetTrainer:
    def __init__(self, model, loader, accumulate=4, lr=0.4, epochs=90):
        self.model, self.loader = model, loader
        self.accumulate, self.epochs = accumulate, epochs
        self.criterion = SmoothedCrossEntropy()
        self.criterion.denominator = accumulate
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9, weight_decay=5e-5)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, epochs)

    def train_epoch(self):
        self.model.train()
        shown = 0.0
        for i, (image, label) in enumerate(self.loader):
            if i % self.accumulate == 0:
                self.optimizer.zero_grad()
            loss = self.criterion(self.model(image), label)
            loss.backward()
            shown += loss.item() * self.accumulate
            if i % self.accumulate == self.accumulate - 1 or i == len(self.loader) - 1:
                self.optimizer.step()
        self.scheduler.step()
        return shown / len(self.loader)

    def fit(self):
        for epoch in range(self.epochs):
            print(epoch, f"{self.train_epoch():.4f}")
