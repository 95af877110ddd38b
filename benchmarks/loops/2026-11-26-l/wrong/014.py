import torch
from torch import nn

torch.manual_seed(0)
samples = torch.rand(128, 36)
encoder = nn.Sequential(nn.Linear(36, 12), nn.ReLU())
decoder = nn.Sequential(nn.Linear(12, 36), nn.Sigmoid())
params = list(encoder.parameters()) + list(decoder.parameters())
optimizer = torch.optim.Adam(params, lr=2e-3)
best = float("inf")
stale = 0
for epoch in range(20):
    epoch_loss = 0.0
    for batch in samples[torch.randperm(128)].split(32):
        recon = decoder(encoder(batch))
        loss = nn.functional.mse_loss(recon, batch)
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item() * len(batch)
    epoch_loss /= len(samples)
    if epoch_loss < best - 1e-4:
        best, stale = epoch_loss, 0
    else:
        stale += 1
    if stale >= 3:
        print("early stop", epoch)
        break
print(best)
