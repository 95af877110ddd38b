import torch

from seglab import parallel
from seglab.losses import get_loss
from seglab.settings import Settings


class SegTrainer:
    def __init__(self, net, loader, val, cfg: Settings):
        self.model = parallel.wrap(net)
        self.loader, self.val, self.cfg = loader, val, cfg
        self.criterion = get_loss(cfg.loss)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=cfg.optim.lr, momentum=cfg.optim.momentum)

    def train_epoch(self):
        accum = self.cfg.optim.accum
        self.model.train()
        self.optimizer.zero_grad(set_to_none=True)
        for step, (image, mask) in enumerate(self.loader, start=1):
            with parallel.grad_sync(self.model, step, len(self.loader), accum):
                loss = self.criterion(self.model(image), mask)
                (loss / accum).backward()
            if step % accum == 0 or step == len(self.loader):
                self.optimizer.step()
                self.optimizer.zero_grad(set_to_none=True)
        return loss.item()

    def iou(self):
        self.model.eval()
        inter = union = 0
        with torch.inference_mode():
            for image, mask in self.val:
                guess = self.model(image) > 0
                inter += (guess & (mask > 0.5)).sum().item()
                union += (guess | (mask > 0.5)).sum().item()
        return inter / max(union, 1)

    def fit(self):
        for epoch in range(self.cfg.epochs):
            loss = self.train_epoch()
            print(f"[{epoch}] loss={loss:.4f} iou={self.iou():.3f}")
