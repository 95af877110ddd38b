import torch
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(16)
clean = torch.rand(128, 1, 8, 8)

autoencoder = nn.Sequential(
    nn.Conv2d(1, 8, 3, stride=2, padding=1),
    nn.ReLU(),
    nn.ConvTranspose2d(8, 1, 4, stride=2, padding=1),
    nn.Sigmoid(),
)
optimizer = torch.optim.Adam(autoencoder.parameters(), lr=5e-3)
loader = DataLoader(clean, batch_size=16, shuffle=True)


def run_epoch():
    total, count = 0.0, 0
    for batch in loader:
        noisy = (batch + 0.2 * torch.randn_like(batch)).clamp(0, 1)
        loss = nn.functional.mse_loss(autoencoder(noisy), batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss * batch.size(0)
        count += batch.size(0)
    return total / count


for epoch in range(3):
    print("epoch %d: %.5f" % (epoch, run_epoch()))
