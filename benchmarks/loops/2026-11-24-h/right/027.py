import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Wordpieces(Dataset):
    def __init__(self, n=104):
        g = torch.Generator().manual_seed(12)
        self.a = torch.randint(1, 80, (n, 6), generator=g)
        self.b = torch.randint(1, 80, (n, 6), generator=g)

    def __len__(self):
        return len(self.a)

    def __getitem__(self, k):
        return self.a[k], self.b[k], float((self.a[k][0] > self.b[k][0]).item())


class SiameseBag(nn.Module):
    def __init__(self):
        super().__init__()
        self.bag = nn.EmbeddingBag(80, 16)
        self.pair = nn.Linear(32, 1)

    def forward(self, a, b):
        return self.pair(torch.cat([self.bag(a), self.bag(b)], 1)).squeeze(1)


def train(model, dl, *, epochs, accum):
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    bce = nn.BCEWithLogitsLoss()
    n = len(dl)
    full = n - n % accum
    for ep in range(epochs):
        model.train()
        opt.zero_grad()
        total = 0.0
        for i, (a, b, y) in enumerate(dl, 1):
            share = accum if i <= full else n - full
            loss = bce(model(a, b), y.float()) / share
            loss.backward()
            total += loss.item() * share
            if i % accum == 0 or i == n:
                opt.step()
                opt.zero_grad()
        print(f"ep {ep}: {total / n:.4f}")


def main():
    torch.manual_seed(0)
    train(SiameseBag(), DataLoader(Wordpieces(), batch_size=8, shuffle=True), epochs=2, accum=5)


if __name__ == "__main__":
    main()
