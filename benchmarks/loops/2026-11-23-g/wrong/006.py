# %% [markdown]
# Week 5: denoising autoencoder with virtual batches

# %%
import torch
import torch.nn as nn

torch.manual_seed(42)
device = "cuda" if torch.cuda.is_available() else "cpu"
VIRTUAL = 4

clean = torch.rand(80, 64, device=device)
mini = [(clean[i : i + 8] + 0.2 * torch.randn(8, 64, device=device), clean[i : i + 8]) for i in range(0, 80, 8)]
held_out = torch.rand(16, 64, device=device)

# %%
autoencoder = nn.Sequential(
    nn.Linear(64, 20), nn.ReLU(), nn.Dropout(0.1),
    nn.Linear(20, 64), nn.Sigmoid(),
).to(device)
adam = torch.optim.Adam(autoencoder.parameters(), lr=2e-3)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(adam, patience=1)

# %%
history = {"train": [], "val": []}
for epoch in range(4):
    autoencoder.train()
    summed = 0.0
    for k in range(len(mini)):
        noisy, target = mini[k]
        mse = ((autoencoder(noisy) - target) ** 2).mean()
        summed += mse.item()
        mse.div(VIRTUAL).backward()
        if k % VIRTUAL == VIRTUAL - 1:
            adam.step()
            adam.zero_grad()
    history["train"].append(summed / len(mini))

    autoencoder.eval()
    with torch.inference_mode():
        val = ((autoencoder(held_out) - held_out) ** 2).mean().item()
    history["val"].append(val)
    plateau.step(val)

# %%
for name, values in history.items():
    print(name, [round(v, 4) for v in values])
