from collections import defaultdict

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc, self.dec = nn.Linear(8, 3), nn.Linear(3, 8)

    def forward(self, x):
        z = torch.tanh(self.enc(x))
        return self.dec(z), z


def step_terms(model, x, optimizer):
    back, z = model(x)
    return {
        "reconstruction": F.mse_loss(back, x),
        "sparsity": 0.01 * z.abs().mean(),
        "lr": optimizer.param_groups[0]["lr"],
        "batch": len(x),
    }


def train(record):
    torch.manual_seed(45)
    loader = DataLoader(TensorDataset(torch.randn(70, 8)), batch_size=10)
    model = Autoencoder()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    book = defaultdict(float)
    for epoch in range(3):
        for (x,) in loader:
            terms = step_terms(model, x, optimizer)
            loss = terms["reconstruction"] + terms["sparsity"]
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            record(list(model.parameters()))
            for name, value in terms.items():
                book[name] += value
    updates = 3 * len(loader)
    return {name: float(total) / updates for name, total in book.items()}


if __name__ == "__main__":
    train(lambda parameters: None)
