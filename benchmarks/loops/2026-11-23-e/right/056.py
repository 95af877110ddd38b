import torch
from torch import nn


def build_model(d):
    return nn.Sequential(nn.Linear(d, 16), nn.BatchNorm1d(16), nn.LeakyReLU(), nn.Dropout(0.1), nn.Linear(16, 1))


def folds(n, k):
    perm = torch.randperm(n)
    for part in range(k):
        test = perm[part::k]
        mask = torch.ones(n, dtype=torch.bool)
        mask[test] = False
        yield mask.nonzero().squeeze(1), test


def test_error(model, x, y):
    model.eval()
    torch.set_grad_enabled(False)
    err, n = 0.0, 0
    for xb, yb in zip(x.split(16), y.split(16)):
        err += nn.functional.mse_loss(model(xb), yb, reduction="sum").item()
        n += len(xb)
    torch.set_grad_enabled(True)
    model.train()
    return (err / n) ** 0.5


def train_fold(x, y, train_idx, test_idx, epochs=4, bs=20):
    model = build_model(x.size(1))
    model.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    best = float("inf")
    for _ in range(epochs):
        order = train_idx[torch.randperm(len(train_idx))]
        for idx in order.split(bs):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x[idx]), y[idx])
            loss.backward()
            optimizer.step()
        best = min(best, test_error(model, x[test_idx], y[test_idx]))
    return best


if __name__ == "__main__":
    torch.manual_seed(0)
    X = torch.randn(150, 5)
    Y = (2 * X[:, :1] - X[:, 1:2]).tanh()
    scores = []
    for k, (tr, te) in enumerate(folds(len(X), 3)):
        scores.append(train_fold(X, Y, tr, te))
        print(f"fold {k}: rmse {scores[-1]:.4f}")
    print(f"mean {sum(scores) / len(scores):.4f}")
