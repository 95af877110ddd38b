import torch
from torch import nn, optim
from torch.optim import lr_scheduler

torch.manual_seed(1)

NUM_ITERS = 40
features = torch.randn(512, 20)
true_w = torch.randn(20)
target = (features @ true_w > 0).float()


class Logistic(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(20, 1)

    def forward(self, x):
        return self.linear(x).squeeze(1)


model = Logistic()
criterion = nn.BCEWithLogitsLoss()
optimizer = optim.SGD(model.parameters(), lr=0.5)
scheduler = lr_scheduler.OneCycleLR(optimizer, max_lr=0.5, total_steps=NUM_ITERS + 1)

lrs = []
for it in range(NUM_ITERS):
    batch = torch.randperm(512)[:64]
    scheduler.step()
    lrs.append(optimizer.param_groups[0]["lr"])

    logits = model(features[batch])
    loss = criterion(logits, target[batch])

    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

    if it % 10 == 9:
        with torch.no_grad():
            acc = ((model(features) > 0).float() == target).float().mean()
        print(f"it {it + 1} loss {loss.item():.3f} acc {acc.item():.3f} lr {lrs[-1]:.4f}")

print("max lr seen:", max(lrs))
