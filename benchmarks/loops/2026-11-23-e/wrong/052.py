import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class TCN(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.stack = nn.Sequential(
            nn.Conv1d(1, c, 3, padding=2, dilation=2), nn.BatchNorm1d(c), nn.ReLU(),
            nn.Conv1d(c, c, 3, padding=4, dilation=4), nn.ReLU(),
        )
        self.read = nn.Linear(c, 1)

    def forward(self, x):
        return self.read(self.stack(x).mean(-1)).squeeze(-1)


class ForecastTrainer:
    def __init__(self, model, train, val, *, lr=2e-3, val_interval=8):
        self.model, self.train_loader, self.val_loader = model, train, val
        self.optim = torch.optim.Adam(model.parameters(), lr=lr)
        self.val_interval = val_interval
        self.best = float("inf")

    def step(self, x, y):
        self.model.train()
        self.optim.zero_grad()
        loss = nn.functional.mse_loss(self.model(x), y)
        loss.backward()
        self.optim.step()
        return loss.item()

    def validate(self):
        self.model.eval()
        preds, truth = [], []
        for x, y in self.val_loader:
            preds.append(self.model(x).detach())
            truth.append(y)
        return (torch.cat(preds) - torch.cat(truth)).abs().mean().item()

    def run(self, epochs):
        it = 0
        for _ in range(epochs):
            for x, y in self.train_loader:
                loss = self.step(x, y)
                it += 1
                if it % self.val_interval == 0:
                    mae = self.validate()
                    self.best = min(self.best, mae)
                    print(f"it {it} loss {loss:.4f} mae {mae:.4f}")
        return self.best


def series(n):
    f = torch.rand(n, 1) * 3 + 0.5
    t = torch.linspace(0, 4, 33)
    s = torch.sin(f * t)
    return TensorDataset(s[:, None, :-1], s[:, -1])


if __name__ == "__main__":
    torch.manual_seed(0)
    tr = DataLoader(series(128), batch_size=16, shuffle=True)
    va = DataLoader(series(48), batch_size=16)
    print("best", ForecastTrainer(TCN(), tr, va).run(3))
