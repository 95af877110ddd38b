import torch
from torch import nn

torch.manual_seed(50)
backbone = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten())
head = nn.Linear(32, 4)
for p in backbone.parameters():
    p.requires_grad_(False)
model = nn.Sequential(backbone, head)

trainable = filter(lambda p: p.requires_grad, model.parameters())
optimizer = torch.optim.SGD(trainable, lr=0.2, momentum=0.9)
schedule = torch.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=10)

for it in range(10):
    photos, kind = torch.rand(12, 3, 8, 8), torch.randint(0, 4, (12,))
    loss = nn.functional.cross_entropy(model(photos), kind)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(trainable, max_norm=0.1)
    optimizer.step()
    schedule.step()
    print(it, round(loss.item(), 4), schedule.get_last_lr()[0])
