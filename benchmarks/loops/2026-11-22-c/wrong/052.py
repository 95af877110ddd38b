import torch
from torch import nn


class SentimentRun:
    def __init__(self, model, train_loader, dev_loader, lr=2e-5, accumulate=2, warmup=100):
        self.model = model
        self.train_loader = train_loader
        self.dev_loader = dev_loader
        self.accumulate = accumulate
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
        self.warmup = torch.optim.lr_scheduler.LinearLR(self.optimizer, 0.05, 1.0, total_iters=warmup)
        self.criterion = nn.CrossEntropyLoss()

    def train_epoch(self):
        self.model.train()
        last = len(self.train_loader)
        for n, (text, polarity) in enumerate(self.train_loader, 1):
            loss = self.criterion(self.model(text), polarity)
            (loss / self.accumulate).backward()
            if n % self.accumulate == 0 or n == last:
                nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
                self.optimizer.zero_grad()
            self.warmup.step()

    def validate(self):
        self.model.eval()
        losses = []
        for text, polarity in self.dev_loader:
            logits = self.model(text)
            losses.append(self.criterion(logits, polarity).item())
        return sum(losses) / len(losses)

    def run(self, epochs=10, patience=2):
        best, bad = float("inf"), 0
        for epoch in range(epochs):
            self.train_epoch()
            dev = self.validate()
            print(epoch, f"dev loss {dev:.4f}")
            best, bad = (dev, 0) if dev < best else (best, bad + 1)
            if bad > patience:
                break
        return best
