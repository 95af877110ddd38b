import torch
import torch.nn.functional as F


class Runner:
    def __init__(self, model, optimizer, trigger, clipper, half, device):
        self.model = model
        self.optimizer = optimizer
        self.trigger = trigger
        self.clipper = clipper
        self.half = half
        self.device = device
        self.scaler = torch.amp.GradScaler(device, init_scale=2.0 ** 10, enabled=half)

    def forward_loss(self, x, y):
        with torch.autocast(self.device, dtype=torch.float16, enabled=self.half):
            return F.cross_entropy(self.model(x), y)

    def update(self):
        self.clipper(self.model, self.optimizer, self.scaler)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()

    def train(self, loader):
        self.model.train()
        self.optimizer.zero_grad()
        seen, total = 0, 0.0
        for step, (x, y) in enumerate(loader, 1):
            x, y = x.to(self.device), y.to(self.device)
            loss = self.forward_loss(x, y)
            self.scaler.scale(loss / self.trigger.size).backward()
            total += loss.item() * len(y)
            seen += len(y)
            last = step == len(loader)
            if self.trigger(step) or last:
                self.update()
        return total / seen

    def test(self, loader):
        self.model.eval()
        hits = seen = 0
        with torch.no_grad():
            for x, y in loader:
                hits += (self.model(x.to(self.device)).argmax(1).cpu() == y).sum().item()
                seen += len(y)
        return hits / seen
