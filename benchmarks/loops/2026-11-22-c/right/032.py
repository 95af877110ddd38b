import torch
import torch.nn.functional as F

from spectra import load_matrix, Autoencoder

matrix = load_matrix("mass_spectra.npy")
model = Autoencoder(matrix.size(1), code=24)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

BATCH, WINDOW, EPOCHS = 64, 3, 80
batches_per_epoch = matrix.size(0) // (BATCH * WINDOW) * WINDOW
generator = torch.Generator().manual_seed(3)

for epoch in range(EPOCHS):
    order = torch.randperm(matrix.size(0), generator=generator)
    epoch_loss = 0.0
    for b in range(batches_per_epoch):
        rows = matrix[order[b * BATCH : (b + 1) * BATCH]]
        restored = model(rows)
        loss = F.mse_loss(restored, rows)
        (loss / WINDOW).backward()
        epoch_loss += loss.item()
        if b % WINDOW == WINDOW - 1:
            optimizer.step()
            optimizer.zero_grad()
    if epoch % 10 == 0:
        print(f"epoch {epoch:3d}  mse {epoch_loss / batches_per_epoch:.5f}")

torch.save(model.state_dict(), "autoencoder.pt")
