"""Annotated-Transformer style: a rate object sets the rate of the update to come."""
import torch
import torch.nn.functional as F
from torch import nn


class Noam:
    def __init__(self, optimizer, width, warmup, factor=1.0):
        self.optimizer, self.width = optimizer, width
        self.warmup, self.factor = warmup, factor
        self.count = 0

    def rate(self):
        n = self.count
        return self.factor * self.width**-0.5 * min(n**-0.5, n * self.warmup**-1.5)

    def step(self):
        self.count += 1
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate()


class Copier(nn.Module):
    def __init__(self, vocab=12, width=16):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.layer = nn.TransformerEncoderLayer(width, 2, 32, dropout=0.0, batch_first=True)
        self.out = nn.Linear(width, vocab)

    def forward(self, ids):
        return self.out(self.layer(self.embed(ids)))


def train(record):
    torch.manual_seed(0)
    model = Copier()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9)
    scheduler = Noam(optimizer, width=16, warmup=8)
    for update in range(16):
        ids = torch.randint(1, 12, (8, 5))
        logits = model(ids)
        loss = F.cross_entropy(logits.flatten(0, 1), ids.flatten(), label_smoothing=0.1)
        optimizer.zero_grad()
        loss.backward()
        scheduler.step()
        optimizer.step()
        record(list(model.parameters()))
        if update % 4 == 0:
            print(update, f"{loss.item():.3f} at {optimizer.param_groups[0]['lr']:.5f}")


if __name__ == "__main__":
    train(lambda parameters: None)
