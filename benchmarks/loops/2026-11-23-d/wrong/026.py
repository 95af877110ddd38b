import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

wine = torch.randn(300, 11)
quality = wine @ torch.randn(11, 1) + 0.3 * torch.randn(300, 1)
loader = DataLoader(TensorDataset(wine, quality), batch_size=30, shuffle=True)

model = nn.Sequential(nn.BatchNorm1d(11), nn.Linear(11, 40), nn.ELU(), nn.Linear(40, 1))
optimiser = torch.optim.Adamax(model.parameters())

history = {"train": []}
for epoch in range(4):
    model.train()
    epoch_loss = 0
    for xb, yb in loader:
        optimiser.zero_grad()
        loss = nn.functional.mse_loss(model(xb), yb)
        loss.backward()
        optimiser.step()
        epoch_loss += loss
    history["train"].append(float(epoch_loss) / len(loader))
    print("Epoch {}: {:.4f}".format(epoch + 1, history["train"][-1]))
