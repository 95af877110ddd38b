import torch
from data import build_loader
from models import Net


class Trainer:
    def __init__(self, accumulate=3):
        self.accumulate = accumulate
        self.model = Net()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3)
        self.loader = build_loader("train")

    def is_boundary(self, i):
        return (i + 1) % self.accumulate == 0 or i + 1 == len(self.loader)

    def apply(self):
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad()

    def epoch(self):
        self.model.train()
        for i, (x, y) in enumerate(self.loader):
            loss = torch.nn.functional.cross_entropy(self.model(x), y)
            (loss / self.accumulate).backward()
            if self.is_boundary(i):
                self.apply()
        return loss.item()


trainer = Trainer()
for n in range(2):
    print(n, trainer.epoch())
