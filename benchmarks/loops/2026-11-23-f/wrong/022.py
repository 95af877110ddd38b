import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

net = nn.Sequential(nn.Linear(11, 22), nn.ReLU(), nn.Linear(22, 1))
criterion = nn.PoissonNLLLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
X = torch.rand(100, 11)
loader = DataLoader(TensorDataset(X, (X.sum(1) * 2).round().unsqueeze(1)), 20, shuffle=True)

history = {"loss": [], "epoch": []}
for epoch in range(5):
    running = 0
    for inputs, counts in loader:
        optimizer.zero_grad()
        loss = criterion(net(inputs), counts)
        loss.backward()
        optimizer.step()
        running += loss * inputs.size(0)
    history["loss"].append(running / len(loader.dataset))
    history["epoch"].append(epoch)
print([round(float(v.detach()), 4) for v in history["loss"]])
