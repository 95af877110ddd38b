import torch
from torch import nn

# Small multilayer perceptron on 8x8 images, learning rate halved
# every second epoch.
EPOCHS = 6
digits = torch.rand(200, 64)
labels = (digits.sum(1) * 10).long() % 10
model = nn.Sequential(nn.Linear(64, 50), nn.ReLU(), nn.Linear(50, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)

for epoch in range(EPOCHS):
    scheduler.step()
    order = torch.randperm(200)
    total = 0.0
    for rows in order.split(40):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(digits[rows]), labels[rows])
        loss.backward()
        optimizer.step()
        total += loss.item()
    lr = optimizer.param_groups[0]["lr"]
    print(f"epoch {epoch} lr {lr:.4f} loss {total / 5:.3f}")
