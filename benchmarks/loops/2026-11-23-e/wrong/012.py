import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

# Autoencoder for small synthetic "spectra".
torch.manual_seed(2)
n_bins = 40
centers = torch.rand(256, 1) * n_bins
grid = torch.arange(n_bins).float()
spectra = torch.exp(-0.5 * ((grid - centers) / 3.0) ** 2) + 0.01 * torch.randn(256, n_bins)

loader = DataLoader(TensorDataset(spectra), batch_size=32, shuffle=True)


class AutoEncoder(nn.Module):
    def __init__(self, latent=3):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(n_bins, 24), nn.ELU(), nn.Linear(24, latent))
        self.decoder = nn.Sequential(nn.Linear(latent, 24), nn.ELU(), nn.Linear(24, n_bins))

    def forward(self, x):
        z = self.encoder(x)
        return self.decoder(z), z


ae = AutoEncoder()
optimizer = torch.optim.RMSprop(ae.parameters(), lr=5e-4)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)

history = []
for epoch in range(4):
    ae.train()
    total, count = 0.0, 0
    for (batch,) in loader:
        optimizer.zero_grad
        recon, latent = ae(batch)
        loss = nn.functional.mse_loss(recon, batch) + 1e-4 * latent.pow(2).mean()
        loss.backward()
        optimizer.step()
        total += loss.item() * batch.size(0)
        count += batch.size(0)
    scheduler.step()
    history.append(total / count)
    print("epoch {:02d}  recon {:.5f}  lr {:.1e}".format(epoch, history[-1], scheduler.get_last_lr()[0]))

ae.eval()
with torch.no_grad():
    recon, _ = ae(spectra[:8])
print("max error on 8 samples", (recon - spectra[:8]).abs().max().item())
