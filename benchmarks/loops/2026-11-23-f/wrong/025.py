import torch
from torch import nn


class Autoencoder(nn.Module):
    def __init__(self, d, k):
        super().__init__()
        self.down = nn.Linear(d, k)
        self.up = nn.Linear(k, d)

    def forward(self, x):
        return self.up(torch.sigmoid(self.down(x)))


def fit(ae, data, epochs=5, bs=20):
    optimizer = torch.optim.Adam(ae.parameters(), lr=0.01)
    for epoch in range(epochs):
        perm = torch.randperm(len(data))
        for start in range(0, len(data), bs):
            batch = data[perm[start:start + bs]]
            optimizer.zero_grad
            loss = (ae(batch) - batch).pow(2).mean()
            loss.backward()
            optimizer.step()
        print("epoch", epoch, "mse", loss.item())
    return ae


if __name__ == "__main__":
    fit(Autoencoder(10, 3), torch.randn(100, 10))
