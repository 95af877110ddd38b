from abc import ABC, abstractmethod

from .meters import MeterBank


class BaseTrainer(ABC):
    def __init__(self, model, optimizer, accumulate: int, epochs: int):
        self.model = model
        self.optimizer = optimizer
        self.accumulate = accumulate
        self.epochs = epochs
        self.meters = MeterBank()

    @abstractmethod
    def training_step(self, batch): ...

    @abstractmethod
    def validate(self, loader): ...

    def fit(self, train_loader, val_loader):
        for epoch in range(self.epochs):
            self.model.train()
            self.meters.reset()
            self.optimizer.zero_grad()
            for n, batch in enumerate(train_loader, start=1):
                loss, logs = self.training_step(batch)
                (loss / self.accumulate).backward()
                self.meters.add(logs)
                if n % self.accumulate == 0 or n == len(train_loader):
                    self.optimizer.step()
                    self.optimizer.zero_grad()
            self.report(epoch, self.meters.means(), self.validate(val_loader))

    def report(self, epoch, means, score):
        text = " ".join(f"{name}={value:.4f}" for name, value in means.items())
        print(f"[{epoch}] {text} hit={score:.3f}")
