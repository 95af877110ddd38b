import torch
from lightning_fabric import Fabric
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Denoiser(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(1, width, 9, padding=4), nn.BatchNorm1d(width), nn.ReLU(), nn.Conv1d(width, 1, 9, padding=4)
        )

    def forward(self, x):
        return x - self.net(x)


class Runner:
    def __init__(self, fabric, net, optimizer, criterion):
        self.fabric = fabric
        self.net = net
        self.optimizer = optimizer
        self.criterion = criterion
        self.best = float("inf")

    def train_epoch(self, loader):
        self.net.train()
        for noisy, clean in loader:
            self.optimizer.zero_grad()
            self.fabric.backward(self.criterion(self.net(noisy), clean))
            self.optimizer.step()

    def val_epoch(self, loader):
        self.net.eval()
        val_loss = 0
        for noisy, clean in loader:
            val_loss += self.criterion(self.net(noisy), clean).item()
        return val_loss / len(loader)

    def run(self, train_loader, val_loader, epochs):
        for epoch in range(epochs):
            self.train_epoch(train_loader)
            score = self.val_epoch(val_loader)
            self.best = min(self.best, score)
            self.fabric.print(f"epoch {epoch} val {score:.4f} best {self.best:.4f}")


def tones(n):
    t = torch.linspace(0, 1, 64)
    clean = torch.sin(2 * torch.pi * torch.randint(2, 9, (n, 1)) * t).unsqueeze(1)
    return TensorDataset(clean + 0.3 * torch.randn_like(clean), clean)


def main():
    fabric = Fabric(accelerator="cpu", devices=1)
    fabric.seed_everything(21, verbose=False)
    net = Denoiser()
    net, optimizer = fabric.setup(net, torch.optim.Adam(net.parameters(), lr=3e-3))
    tl, vl = fabric.setup_dataloaders(DataLoader(tones(96), 16, shuffle=True), DataLoader(tones(32), 8))
    Runner(fabric, net, optimizer, nn.L1Loss()).run(tl, vl, epochs=3)


if __name__ == "__main__":
    main()
