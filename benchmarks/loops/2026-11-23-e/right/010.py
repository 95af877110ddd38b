import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Classifier:
    """scikit-learn-like wrapper."""

    def __init__(self, n_in, n_out, hidden=32, lr=5e-3, epochs=5, batch_size=32, patience=3):
        self.net = nn.Sequential(
            nn.Linear(n_in, hidden), nn.BatchNorm1d(hidden), nn.ReLU(), nn.Dropout(0.2), nn.Linear(hidden, n_out)
        )
        self.lr, self.epochs, self.batch_size, self.patience = lr, epochs, batch_size, patience

    def fit(self, X, y, X_val, y_val):
        loader = DataLoader(TensorDataset(X, y), self.batch_size, shuffle=True)
        opt = torch.optim.AdamW(self.net.parameters(), lr=self.lr)
        best, bad = -1.0, 0
        for epoch in range(self.epochs):
            for step, (xb, yb) in enumerate(loader):
                self.net.train()
                loss = nn.functional.cross_entropy(self.net(xb), yb)
                loss.backward()
                opt.step()
                opt.zero_grad()
                if step == len(loader) // 2:
                    print(f"  half of epoch {epoch}: {self.score(X_val, y_val):.3f}")
            acc = self.score(X_val, y_val)
            if acc > best:
                best, bad = acc, 0
            else:
                bad += 1
            if bad >= self.patience:
                break
        return best

    @torch.no_grad()
    def predict(self, X):
        self.net.eval()
        return torch.cat([self.net(b).argmax(-1) for b in X.split(64)])

    def score(self, X, y):
        return (self.predict(X) == y).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(0)
    X = torch.randn(300, 6)
    y = ((X[:, 0] * X[:, 1]) > 0).long()
    clf = Classifier(6, 2)
    print("best", clf.fit(X[:240], y[:240], X[240:], y[240:]))
