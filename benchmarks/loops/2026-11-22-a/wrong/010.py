import torch
from torch import nn
from torch.amp import GradScaler, autocast


class DetectorTrainer:
    """Trains an anchor-free detector on one GPU."""

    def __init__(self, model, loader, *, lr=1e-4, epochs=36, grad_clip=0.1, log=print):
        self.model = model.cuda()
        self.loader = loader
        self.epochs = epochs
        self.grad_clip = grad_clip
        self.log = log
        backbone = [p for n, p in model.named_parameters() if "backbone" in n]
        rest = [p for n, p in model.named_parameters() if "backbone" not in n]
        self.optimizer = torch.optim.AdamW([{"params": backbone, "lr": lr / 10}, {"params": rest, "lr": lr}])
        self.scheduler = torch.optim.lr_scheduler.MultiStepLR(self.optimizer, [24, 33])
        self.scaler = GradScaler("cuda")

    def fit(self):
        for epoch in range(self.epochs):
            self.model.train()
            for images, targets in self.loader:
                self.log(self.step(images, targets))
            self.scheduler.step()

    def forward_loss(self, images, targets):
        losses = self.model(images, targets)
        return sum(losses.values()), {k: v.item() for k, v in losses.items()}

    def step(self, images, targets):
        images = images.cuda(non_blocking=True)
        targets = [{k: v.cuda() for k, v in t.items()} for t in targets]
        with autocast("cuda"):
            loss, parts = self.forward_loss(images, targets)
        self.optimizer.zero_grad(set_to_none=True)
        self.scaler.scale(loss).backward()
        if self.grad_clip > 0:
            nn.utils.clip_grad_value_(self.model.parameters(), self.grad_clip)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return parts
