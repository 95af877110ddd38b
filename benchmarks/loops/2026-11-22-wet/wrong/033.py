import torch
from torch import nn


class VideoTrainer:
    def __init__(self, model, loader, micro=4, lr=1e-3, total=10_000):
        self.model = model
        self.loader = loader
        self.micro = micro
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.lr_scheduler = torch.optim.lr_scheduler.PolynomialLR(self.optimizer, total, power=0.9)
        self.updates = 0

    def on_micro_batch_end(self, loss):
        self.running = 0.9 * getattr(self, "running", loss) + 0.1 * loss
        self.lr_scheduler.step()

    def on_update_end(self):
        self.updates += 1
        if self.updates % 25 == 0:
            print(self.updates, self.running)

    def fit(self, epochs):
        for _ in range(epochs):
            self.model.train()
            for clips, labels in self.loader:
                self.optimizer.zero_grad()
                parts = zip(clips.chunk(self.micro), labels.chunk(self.micro))
                for part, target in parts:
                    loss = self.criterion(self.model(part), target) * len(part) / len(clips)
                    loss.backward()
                    self.on_micro_batch_end(loss.item())
                self.optimizer.step()
                self.on_update_end()
