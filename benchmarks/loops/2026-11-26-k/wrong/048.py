import torch
from torch import nn

USE_AMP = torch.cuda.is_available()
DEVICE = "cuda" if USE_AMP else "cpu"


class Logger:
    def __init__(self):
        self.rows = []

    def log(self, **kw):
        self.rows.append(kw)


def grad_norm(module):
    return torch.stack([p.grad.norm() for p in module.parameters() if p.grad is not None]).norm().item()


def train(model, data, logger):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scaler = torch.amp.GradScaler(DEVICE, enabled=USE_AMP)
    for step, (x, y) in enumerate(data):
        x, y = x.to(DEVICE), y.to(DEVICE)
        with torch.autocast(DEVICE, dtype=torch.float16, enabled=USE_AMP):
            loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        if step % 5 == 0:
            scaler.unscale_(optimizer)
            logger.log(step=step, norm=grad_norm(model))
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()


torch.manual_seed(39)
net = nn.Sequential(nn.Linear(5, 20), nn.ReLU(), nn.Linear(20, 1)).to(DEVICE)
log = Logger()
train(net, [(torch.randn(16, 5), torch.randn(16, 1)) for _ in range(20)], log)
print(log.rows)
