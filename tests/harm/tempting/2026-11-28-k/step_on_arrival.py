"""Windows are closed when the first batch of the next one arrives."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Matrix(nn.Module):
    """Ratings as a product of user and item factors."""

    def __init__(self, users=30, items=20, rank=4):
        super().__init__()
        self.user, self.item = nn.Embedding(users, rank), nn.Embedding(items, rank)
        self.bias = nn.Parameter(torch.zeros(()))

    def forward(self, pair):
        return (self.user(pair[:, 0]) * self.item(pair[:, 1])).sum(1) + self.bias


def ratings(n=120):
    pair = torch.stack([torch.randint(0, 30, (n,)), torch.randint(0, 20, (n,))], dim=1)
    return TensorDataset(pair, (pair.sum(1) % 5).float())


def train(record, accum=4, epochs=3):
    torch.manual_seed(17)
    loader = DataLoader(ratings(), batch_size=10, shuffle=True)
    model = Matrix()
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.1)

    def update():
        optimizer.step()
        record(list(model.parameters()))
        optimizer.zero_grad()

    for epoch in range(epochs):
        total = 0.0
        for i, (pair, stars) in enumerate(loader):
            if i > 0 and i % accum == 0:
                update()
            loss = nn.functional.mse_loss(model(pair), stars)
            (loss / accum).backward()
            total += loss.item()
        update()
        print(epoch, f"{total / len(loader):.4f}")


if __name__ == "__main__":
    train(lambda parameters: None)
