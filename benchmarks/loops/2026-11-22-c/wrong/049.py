import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader


class Probed(nn.Module):
    def __init__(self, backbone, width, classes):
        super().__init__()
        self.backbone = backbone
        self.adapter = nn.Sequential(nn.Linear(width, width // 4), nn.ReLU(), nn.Linear(width // 4, width))
        self.probe = nn.Linear(width, classes)

    def forward(self, x):
        h = self.backbone(x)
        return self.probe(h + self.adapter(h))


def finetune(backbone, dataset, width=512, classes=37, epochs=12, lr=3e-4):
    model = Probed(backbone, width, classes)
    loader = DataLoader(dataset, batch_size=32, shuffle=True, drop_last=True)
    optimizer = torch.optim.AdamW(
        [
            {"params": model.backbone.parameters(), "lr": lr / 10},
            {"params": model.adapter.parameters()},
            {"params": model.probe.parameters()},
        ],
        lr=lr,
    )
    scheduler = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=[lr / 10, lr, lr], epochs=epochs, steps_per_epoch=len(loader)
    )
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for x, y in loader:
            backbone.zero_grad()
            loss = F.cross_entropy(model(x), y, label_smoothing=0.05)
            loss.backward()
            optimizer.step()
            scheduler.step()
            total += loss.item()
        print(f"epoch {epoch} loss {total / len(loader):.4f} lr {scheduler.get_last_lr()}")
    return model
