import torch

from .optim import advance, build_optimizer, make_scaler


def soft_dice(logits, target, eps=1.0):
    p = logits.float().sigmoid()
    inter = (p * target).sum((1, 2, 3))
    return 1 - ((2 * inter + eps) / (p.sum((1, 2, 3)) + target.sum((1, 2, 3)) + eps)).mean()


class SegLoop:
    def __init__(self, model, cfg, device):
        self.model = model
        self.device = device
        self.max_norm = cfg["max_norm"]
        self.amp = cfg["amp"]
        self.dtype = getattr(torch, cfg["amp_dtype"])
        self.optimizer = build_optimizer(model, cfg)
        self.scaler = make_scaler(cfg, device)
        self.bce = torch.nn.BCEWithLogitsLoss()

    def loss(self, image, mask):
        with torch.autocast(self.device, dtype=self.dtype, enabled=self.amp):
            logits = self.model(image)
        return self.bce(logits.float(), mask) + soft_dice(logits, mask)

    def train_epoch(self, loader):
        self.model.train()
        total = 0.0
        for image, mask in loader:
            image, mask = image.to(self.device), mask.to(self.device)
            self.optimizer.zero_grad(set_to_none=True)
            loss = self.loss(image, mask)
            self.scaler.scale(loss).backward()
            self.scaler.unscale_(self.optimizer)
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)
            advance(self.scaler, self.optimizer)
            total += loss.item()
        return total / len(loader)

    @torch.no_grad()
    def validate(self, loader):
        self.model.eval()
        inter = union = 0.0
        for image, mask in loader:
            pred = self.model(image.to(self.device)) > 0
            mask = mask.to(self.device) > 0.5
            inter += (pred & mask).sum().item()
            union += (pred | mask).sum().item()
        return inter / max(union, 1.0)
