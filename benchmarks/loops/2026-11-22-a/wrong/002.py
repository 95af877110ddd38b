from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader


@dataclass
class TrainerConfig:
    lr: float = 3e-4
    epochs: int = 20
    clip: float = 0.25
    device: str = "cuda"


class CaptionTrainer:
    def __init__(self, model: nn.Module, train_set, config: TrainerConfig):
        self.model = model.to(config.device)
        self.config = config
        self.loader = DataLoader(train_set, batch_size=64, shuffle=True, num_workers=4)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=config.lr)
        self.criterion = nn.CrossEntropyLoss(ignore_index=0)
        self.grad_norm = 0.0

    def _clip(self):
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.config.clip)
        self.grad_norm = float(norm)

    def _update(self, loss):
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def train(self):
        for epoch in range(self.config.epochs):
            self.model.train()
            total = 0.0
            for images, captions in self.loader:
                images = images.to(self.config.device)
                captions = captions.to(self.config.device)
                logits = self.model(images, captions[:, :-1])
                loss = self.criterion(logits.flatten(0, 1), captions[:, 1:].flatten())
                self._update(loss)
                self._clip()
                total += loss.item()
            print(f"[{epoch}] loss {total / len(self.loader):.3f} |g| {self.grad_norm:.2f}")
