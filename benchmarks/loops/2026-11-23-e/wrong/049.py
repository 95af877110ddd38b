import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def update(optimizer, model, max_norm):
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.zero_grad()
    optimizer.step()
    return norm.item()


class QuantileNet(nn.Module):
    quantiles = (0.1, 0.5, 0.9)

    def __init__(self, d):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, 24), nn.SELU(), nn.Linear(24, len(self.quantiles)))

    def forward(self, x):
        return self.net(x)

    def loss(self, pred, y):
        err = y[:, None] - pred
        q = torch.tensor(self.quantiles)
        return torch.maximum(q * err, (q - 1) * err).mean()


def main():
    torch.manual_seed(0)
    x = torch.randn(256, 6)
    y = x[:, 0] + 0.5 * torch.randn(256) * (1 + x[:, 1].abs())
    loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
    model = QuantileNet(6)
    optimizer = torch.optim.NAdam(model.parameters(), lr=2e-3)
    accum = 2

    for epoch in range(3):
        norms = []
        model.train()
        for i, (xb, yb) in enumerate(loader):
            loss = model.loss(model(xb), yb) / accum
            loss.backward()
            if (i + 1) % accum == 0 or (i + 1) == len(loader):
                norms.append(update(optimizer, model, 1.0))
        print(f"epoch {epoch} loss {loss.item() * accum:.4f} mean norm {sum(norms) / len(norms):.3f}")


if __name__ == "__main__":
    main()
