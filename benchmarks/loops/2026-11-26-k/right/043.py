import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR, SequentialLR, CosineAnnealingLR


def schedule(optimizer, warm, total):
    ramp = LambdaLR(optimizer, lambda n: (n + 1) / warm)
    cosine = CosineAnnealingLR(optimizer, T_max=total - warm)
    return SequentialLR(optimizer, [ramp, cosine], milestones=[warm])


class Trainer:
    def __init__(self, model, total):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=128.0)
        self.scheduler = schedule(self.optimizer, 5, total)

    def update(self, x, y):
        self.optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            logits = self.model(x)
        loss = nn.functional.cross_entropy(logits.float(), y)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scheduler.step()
        self.scaler.update()
        return loss.item()


torch.manual_seed(143)
trainer = Trainer(nn.Sequential(nn.Linear(14, 28), nn.ReLU(), nn.Linear(28, 7)), total=40)
for n in range(40):
    x = torch.randn(32, 14)
    value = trainer.update(x, x[:, :7].argmax(1))
    if n % 10 == 0:
        print(n, value, trainer.scheduler.get_last_lr())
