"""Train a small matrix factorisation with Lightning Fabric."""
import torch
from lightning_fabric import Fabric
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ACCUMULATE = 4


class MF(nn.Module):
    def __init__(self, users=40, items=30, k=6):
        super().__init__()
        self.u = nn.Embedding(users, k)
        self.i = nn.Embedding(items, k)
        self.bias = nn.Parameter(torch.zeros(()))

    def forward(self, user, item):
        return (self.u(user) * self.i(item)).sum(-1) + self.bias


def ratings(n=320):
    user = torch.randint(0, 40, (n,))
    item = torch.randint(0, 30, (n,))
    score = ((user % 5) - (item % 3)).float() / 2
    return TensorDataset(user, item, score)


def main():
    fabric = Fabric(accelerator="cpu", devices=1)
    fabric.seed_everything(0)

    loader = fabric.setup_dataloaders(DataLoader(ratings(), batch_size=10, shuffle=True))
    model = MF()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    model, optimizer = fabric.setup(model, optimizer)

    for epoch in range(2):
        model.train()
        epoch_loss = 0.0
        for idx, (user, item, score) in enumerate(loader):
            is_accumulating = (idx + 1) % ACCUMULATE != 0 and idx + 1 != len(loader)
            with fabric.no_backward_sync(model, enabled=is_accumulating):
                loss = nn.functional.mse_loss(model(user, item), score)
                fabric.backward(loss)
            epoch_loss += loss.item()
            if not is_accumulating:
                optimizer.step()
                optimizer.zero_grad()
        fabric.print(f"epoch {epoch} rmse {(epoch_loss / len(loader)) ** 0.5:.3f}")


if __name__ == "__main__":
    main()
