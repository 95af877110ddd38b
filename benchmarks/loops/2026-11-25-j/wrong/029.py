import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(29)
X = torch.rand(200, 12)
dl = DataLoader(TensorDataset(X), batch_size=20, shuffle=True)
autoencoder = nn.Sequential(nn.Linear(12, 5), nn.ReLU(), nn.Linear(5, 12), nn.Sigmoid())
optimizer = torch.optim.Adam(autoencoder.parameters(), lr=1e-2)
mse = nn.MSELoss()

for epoch in range(3):
    epoch_loss = 0
    for (x,) in dl:
        optimizer.zero_grad()
        loss = mse(autoencoder(x), x)
        loss.backward()
        optimizer.step()
        epoch_loss += loss
    print("epoch: {}, reconstruction: {:.4f}".format(epoch, epoch_loss / len(dl)))
