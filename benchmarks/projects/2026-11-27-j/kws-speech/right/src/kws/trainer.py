import torch
from torch import nn
from torch.utils.data import DataLoader

from .config import TrainConfig
from .evaluation import accuracy
from .grads import clip_gradients


class Trainer:
    def __init__(self, model: nn.Module, cfg: TrainConfig) -> None:
        self.model = model
        self.cfg = cfg
        self.criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
        self.optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=cfg.momentum)
        self.scaler = torch.amp.GradScaler("cpu")

    def train_batch(self, mels: torch.Tensor, labels: torch.Tensor) -> tuple[float, float]:
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.criterion(self.model(mels), labels)
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.optimizer)
        norm = clip_gradients(self.model.parameters(), self.cfg.max_norm)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item(), norm

    def fit(self, train: DataLoader, dev: DataLoader) -> list[float]:
        history: list[float] = []
        for epoch in range(self.cfg.epochs):
            self.model.train()
            seen = [self.train_batch(mels, labels) for mels, labels in train]
            mean = sum(loss for loss, _ in seen) / len(seen)
            history.append(accuracy(self.model, dev))
            print(f"epoch {epoch} loss {mean:.3f} norm {seen[-1][1]:.2f} dev {history[-1]:.3f}")
        return history
