import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(47)
K = 4
recipes = TensorDataset(torch.randn(96, 8), torch.rand(96, 1))
loader = DataLoader(recipes, batch_size=8, shuffle=True)
rating = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1), nn.Sigmoid())
optimizer = torch.optim.SGD(rating.parameters(), lr=0.5)

for epoch in range(3):
    epoch_loss = 0.0
    for n, (x, y) in enumerate(loader, 1):
        loss = nn.functional.binary_cross_entropy(rating(x), y) / len(loader)
        loss.backward()
        epoch_loss += loss.item()
        if n % K == 0 or n == len(loader):
            optimizer.step()
            optimizer.zero_grad()
    print(f"epoch {epoch}: {epoch_loss:.4f}")
