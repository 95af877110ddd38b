import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

BATCH_SIZE = 8
VIRTUAL_BATCH_SIZE = 32
STEPS_PER_UPDATE = VIRTUAL_BATCH_SIZE // BATCH_SIZE
EPOCHS = 3

x = torch.rand(256, 3)
y = torch.stack([x[:, 0] * x[:, 1], x[:, 1] * x[:, 2]], 1)
loader = DataLoader(TensorDataset(x, y), batch_size=BATCH_SIZE, shuffle=True)
assert len(loader) % STEPS_PER_UPDATE == 0


class Sine(nn.Module):
    def __init__(self, i, o, w=5.0):
        super().__init__()
        self.lin, self.w = nn.Linear(i, o), w

    def forward(self, x):
        return torch.sin(self.w * self.lin(x))


siren = nn.Sequential(Sine(3, 24), Sine(24, 24), nn.Linear(24, 2))
optimizer = torch.optim.Adam(siren.parameters(), lr=1e-3)
mse = nn.MSELoss()

for epoch in range(EPOCHS):
    siren.train()
    running = 0.0
    for i, (xb, yb) in enumerate(loader):
        if i % STEPS_PER_UPDATE == 0:
            optimizer.zero_grad()

        loss = mse(siren(xb), yb) / STEPS_PER_UPDATE
        loss.backward()
        running += loss.item()

        if i % STEPS_PER_UPDATE == STEPS_PER_UPDATE - 1:
            optimizer.step()
    print(f"epoch {epoch + 1}, loss {running * STEPS_PER_UPDATE / len(loader):.5f}")
