import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ACCUM_STEPS = 8
EPOCHS = 2

torch.manual_seed(17)
features = torch.randn(192, 12)
labels = (features[:, :6].sum(1) > features[:, 6:].sum(1)).long()
loader = DataLoader(TensorDataset(features, labels), batch_size=8, shuffle=True)

clf = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 2))
optimizer = torch.optim.AdamW(clf.parameters(), lr=2e-3)
loss_fn = nn.CrossEntropyLoss(label_smoothing=0.05)


def train_one_epoch(epoch):
    clf.train()
    optimizer.zero_grad()
    seen = 0.0
    for step, (x, y) in enumerate(loader):
        loss = loss_fn(clf(x), y)
        seen += loss.item()
        loss = loss / 4
        loss.backward()
        if (step + 1) % ACCUM_STEPS == 0:
            optimizer.step()
            optimizer.zero_grad()
    print(f"epoch {epoch} loss {seen / len(loader):.4f}")


for epoch in range(EPOCHS):
    train_one_epoch(epoch)
