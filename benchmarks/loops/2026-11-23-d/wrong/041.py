import torch
from torch import nn


class Stepper:
    def __init__(self, params, optimizer, scaler, every, limit):
        self.params, self.optimizer, self.scaler = list(params), optimizer, scaler
        self.every, self.limit, self.count = every, limit, 0

    def __call__(self, loss):
        self.scaler.scale(loss / self.every).backward()
        self.count += 1
        if self.count % self.every:
            return False
        nn.utils.clip_grad_norm_(self.params, self.limit)
        self.scaler.unscale_(self.optimizer)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()
        return True


dev = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 1)).to(dev)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
stepper = Stepper(net.parameters(), opt, torch.amp.GradScaler(dev, init_scale=1024.0), every=2, limit=0.5)
for it in range(20):
    x = torch.randn(16, 12, device=dev)
    with torch.autocast(dev, dtype=torch.float16):
        loss = (net(x) - x[:, :1]).square().mean()
    if stepper(loss):
        print(it, loss.item())
