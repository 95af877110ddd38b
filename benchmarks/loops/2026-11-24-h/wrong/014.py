import time

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(64, 32)
        self.fc21, self.fc22 = nn.Linear(32, 4), nn.Linear(32, 4)
        self.fc3, self.fc4 = nn.Linear(4, 32), nn.Linear(32, 64)

    def encode(self, x):
        h = F.relu(self.fc1(x))
        return self.fc21(h), self.fc22(h)

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)
        return torch.sigmoid(self.fc4(F.relu(self.fc3(z)))), mu, logvar


def loss_function(recon_x, x, mu, logvar):
    BCE = F.binary_cross_entropy(recon_x, x, reduction="sum")
    KLD = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return BCE, KLD


def train(epoch, model, train_loader, optimizer, log_interval=4):
    model.train()
    train_loss = 0
    kl_total = 0
    start = time.time()
    for batch_idx, (data,) in enumerate(train_loader):
        optimizer.zero_grad()
        recon_batch, mu, logvar = model(data)
        bce, kld = loss_function(recon_batch, data, mu, logvar)
        loss = bce + kld
        loss.backward()
        train_loss += loss
        kl_total += kld.item()
        optimizer.step()
        if batch_idx % log_interval == 0:
            print(f"Train Epoch: {epoch} [{batch_idx * len(data)}/{len(train_loader.dataset)}]\tLoss: {loss.item() / len(data):.4f}")
    n = len(train_loader.dataset)
    print(f"====> Epoch: {epoch} Average loss: {train_loss / n:.4f} kl {kl_total / n:.4f} ({time.time() - start:.1f}s)")


if __name__ == "__main__":
    torch.manual_seed(1)
    loader = DataLoader(TensorDataset(torch.rand(128, 64)), batch_size=16, shuffle=True)
    vae = VAE()
    adam = torch.optim.Adam(vae.parameters(), lr=1e-3)
    for ep in range(1, 3):
        train(ep, vae, loader, adam)
