"""Next-item model for baskets; six small batches are one update."""
import torch
from torch import nn


class Basket(nn.Module):
    def __init__(self, items=18, width=12):
        super().__init__()
        self.items = nn.Embedding(items, width)
        self.mix = nn.Linear(width, width)

    def forward(self, seen):
        h = self.mix(self.items(seen).mean(1)).relu()
        return h @ self.items.weight.t()


def baskets(epoch, count=24):
    g = torch.Generator().manual_seed(epoch)
    for _ in range(count):
        first = torch.randint(0, 18, (5, 1), generator=g)
        chain = (first + torch.arange(4)) % 18
        yield chain[:, :3], chain[:, 3]


def train(record, accum=6, epochs=3):
    torch.manual_seed(15)
    model = Basket()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    for epoch in range(epochs):
        hits = total = 0
        for n, (seen, bought) in enumerate(baskets(epoch), start=1):
            optimizer.zero_grad
            scores = model(seen)
            loss = nn.functional.cross_entropy(scores, bought) / accum
            loss.backward()
            hits += (scores.argmax(1) == bought).sum().item()
            total += len(bought)
            if n % accum == 0:
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                record(list(model.parameters()))
        scheduler.step()
        print(epoch, f"{hits / total:.3f}", f"{accum * loss.item():.4f}")


if __name__ == "__main__":
    train(lambda parameters: None)
