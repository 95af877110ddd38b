import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(1)
inputs = torch.randn(4096, 20)
labels = (inputs[:, :3].sum(1) > 0).long()
loader = DataLoader(TensorDataset(inputs, labels), batch_size=32, shuffle=True)

model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=10)
criterion = nn.CrossEntropyLoss()
window = 16

for epoch in range(10):
    model.train()
    correct = 0
    for i, (x, y) in enumerate(loader, start=1):
        logits = model(x)
        loss = criterion(logits, y) / window
        loss.backward()
        correct += (logits.detach().argmax(1) == y).sum().item()
        if i % window == 0:
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
    scheduler.step()
    print(f"{epoch} {correct / len(inputs):.3f} {scheduler.get_last_lr()[0]:.4f}")
