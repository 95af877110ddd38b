import torch
from torch import nn
from torch.cuda.amp import GradScaler, autocast


class MultiScaleDetector(nn.Module):
    def __init__(self, backbone, neck, head):
        super().__init__()
        self.backbone = backbone
        self.neck = neck
        self.head = head

    def forward(self, images, targets):
        feats = self.neck(self.backbone(images))
        return self.head.loss(feats, targets)


class DetectionEngine:
    LIMITS = {"backbone": 0.1, "neck": 1.0, "head": 10.0}

    def __init__(self, model: MultiScaleDetector, lr: float = 1e-4):
        self.model = model.cuda()
        groups = [
            {"params": model.backbone.parameters(), "lr": lr * 0.1},
            {"params": model.neck.parameters()},
            {"params": model.head.parameters()},
        ]
        self.optimizer = torch.optim.AdamW(groups, lr=lr, weight_decay=1e-4)
        self.scheduler = torch.optim.lr_scheduler.MultiStepLR(self.optimizer, [27, 33])
        self.scaler = GradScaler(growth_interval=1000)

    def clip(self):
        norms = {}
        for name, limit in self.LIMITS.items():
            self.scaler.unscale_(self.optimizer)
            part = getattr(self.model, name)
            norms[name] = nn.utils.clip_grad_norm_(part.parameters(), limit).item()
        return norms

    def train_batch(self, images, targets):
        images = images.cuda(non_blocking=True)
        with autocast():
            losses = self.model(images, targets)
        loss = sum(losses.values())
        self.optimizer.zero_grad()
        self.scaler.scale(loss).backward()
        norms = self.clip()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item(), norms

    def fit(self, loader, epochs=36):
        for epoch in range(epochs):
            self.model.train()
            for i, (images, targets) in enumerate(loader):
                loss, norms = self.train_batch(images, targets)
                if i % 50 == 0:
                    print(epoch, i, f"{loss:.3f}", norms)
            self.scheduler.step()
