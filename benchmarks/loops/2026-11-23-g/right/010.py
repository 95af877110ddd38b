# Windows run across the epochs on purpose: a global counter decides, 15 batches x 4 epochs = 15 windows of 4.
import torch
import torch.nn as nn

torch.manual_seed(50)
ACC, EPOCHS = 4, 4

images = torch.rand(45, 1, 6, 6)
counts = (images > 0.7).sum((1, 2, 3)).float()
loader = torch.utils.data.DataLoader(list(zip(images, counts)), batch_size=3, shuffle=True)
assert (EPOCHS * len(loader)) % ACC == 0

net = nn.Sequential(nn.Flatten(), nn.Linear(36, 18), nn.ReLU(), nn.Linear(18, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
milestones = torch.optim.lr_scheduler.MultiStepLR(optimizer, [8, 12], gamma=0.3)

seen = 0
optimizer.zero_grad()
for epoch in range(EPOCHS):
    net.train()
    squared = 0.0
    for img, count in loader:
        loss = nn.functional.mse_loss(net(img).squeeze(1), count)
        squared += loss.item()
        loss.mul(1 / ACC).backward()
        seen += 1
        if seen % ACC == 0:
            optimizer.step()
            milestones.step()
            optimizer.zero_grad()
    print(f"epoch {epoch}: rmse {(squared / len(loader)) ** 0.5:.3f} after {seen // ACC} updates")
