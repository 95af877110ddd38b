from dataclasses import dataclass

import torch
import torch.nn.functional as F

from recsys import Ranker, visits


@dataclass
class Settings:
    lr: float = 1e-2
    window: int = 3
    epochs: int = 2


class Engine:
    def __init__(self, settings):
        self.s = settings
        self.model = Ranker(items=5000)
        self.opt = torch.optim.Adagrad(self.model.parameters(), lr=settings.lr)

    def forward_backward(self, batch):
        features, relevance = batch
        self.model.zero_grad()
        loss = F.binary_cross_entropy_with_logits(self.model(features), relevance.sigmoid())
        (loss / self.s.window).backward()
        return loss.detach()

    def fit(self, batches):
        for epoch in range(self.s.epochs):
            seen = []
            for k, batch in enumerate(batches, 1):
                seen.append(self.forward_backward(batch))
                if k % self.s.window == 0 or k == len(batches):
                    self.opt.step()
            print(f"epoch {epoch}: {torch.stack(seen).mean():.4f}")


if __name__ == "__main__":
    Engine(Settings()).fit(visits("2025-q3"))
