import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class DeepSets(nn.Module):
    def __init__(self, d=3, h=24):
        super().__init__()
        self.phi = nn.Sequential(nn.Linear(d, h), nn.ReLU(), nn.Linear(h, h))
        self.rho = nn.Sequential(nn.ReLU(), nn.Linear(h, 1))

    def forward(self, s):
        return self.rho(self.phi(s).sum(1)).squeeze(-1)


class ChunkedLearner:
    """Splits a batch so that the activations of one chunk fit into memory."""

    def __init__(self, model, lr=1e-3, chunk_size=16):
        self.model = model
        self.chunk_size = chunk_size
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
        self.criterion = nn.HuberLoss()

    def learn(self, x, y):
        self.model.train()
        self.optimizer.zero_grad()
        value = 0.0
        for xc, yc in zip(x.split(self.chunk_size), y.split(self.chunk_size)):
            share = len(xc) / len(x)
            loss = self.criterion(self.model(xc), yc) * share
            loss.backward()
            value += loss.item()
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), 10.0)
        self.optimizer.step()
        return value, norm.item()

    @torch.inference_mode()
    def score(self, x, y):
        self.model.eval()
        return (self.model(x) - y).abs().mean().item()


def main():
    torch.manual_seed(0)
    sets = torch.randn(300, 8, 3)
    target = sets.pow(2).sum((1, 2)) / 8
    loader = DataLoader(TensorDataset(sets[:240], target[:240]), batch_size=50, shuffle=True)
    learner = ChunkedLearner(DeepSets(), lr=3e-3)
    for epoch in range(4):
        for x, y in loader:
            value, norm = learner.learn(x, y)
        print(f"epoch {epoch} loss {value:.4f} norm {norm:.2f} test {learner.score(sets[240:], target[240:]):.4f}")


if __name__ == "__main__":
    main()
