import torch
import torch.nn.functional as F

from data import build_loader
from models import Net

model = Net(pretrained=True)
for p in model.backbone.parameters():
    p.requires_grad_(False)

trainable = (p for p in model.parameters() if p.requires_grad)
optimizer = torch.optim.SGD(trainable, lr=0.01, momentum=0.9, nesterov=True)
scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[6, 9], gamma=0.1)
loader = build_loader("flowers102", split="train")

for epoch in range(10):
    model.train()
    epoch_loss = 0.0
    for image, label in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(image), label, label_smoothing=0.1)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trainable, max_norm=2.0)
        optimizer.step()
        epoch_loss += loss.item()
    scheduler.step()
    print(f"{epoch:02d} loss={epoch_loss / len(loader):.4f} lr={scheduler.get_last_lr()[0]:.5f}")
