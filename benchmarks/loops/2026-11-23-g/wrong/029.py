import torch
import torch.nn as nn


class AverageMeter:
    def __init__(self):
        self.sum = self.n = 0

    def update(self, v, k=1):
        self.sum, self.n = self.sum + v * k, self.n + k

    @property
    def avg(self):
        return self.sum / max(self.n, 1)


class GradAccumulator:
    """Calls ``optimizer.step`` once every ``every`` backward passes."""

    def __init__(self, optimizer, every, max_norm):
        self.optimizer = optimizer
        self.max_norm = max_norm
        self.every = every
        self.calls = 0
        self.optimizer.zero_grad()

    def backward(self, loss):
        (loss / self.every).backward()
        if self.calls == self.every:
            self.apply()
        else:
            self.calls += 1

    def apply(self):
        self.optimizer.step()
        for group in self.optimizer.param_groups:
            nn.utils.clip_grad_norm_(group["params"], self.max_norm)
        self.optimizer.zero_grad()
        self.calls = 0

    def close(self):
        if self.calls:
            self.apply()


def keypoints(batches, per_batch=5):
    """Heat maps of 2 points on a 6x6 grid -> their coordinates."""
    for _ in range(batches):
        xy = torch.randint(0, 6, (per_batch, 2, 2))
        maps = torch.zeros(per_batch, 2, 6, 6)
        for b in range(per_batch):
            for k in range(2):
                maps[b, k, xy[b, k, 0], xy[b, k, 1]] = 1.0
        yield maps, xy.float() / 5


torch.manual_seed(19)
model = nn.Sequential(nn.Flatten(), nn.Linear(72, 24), nn.Tanh(), nn.Linear(24, 4), nn.Unflatten(1, (2, 2)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.3, momentum=0.8)
meter_log = []
for epoch in range(3):
    meter = AverageMeter()
    acc = GradAccumulator(optimizer, every=4, max_norm=0.1)
    model.train()
    for maps, xy in keypoints(16):
        loss = nn.functional.mse_loss(model(maps), xy)
        acc.backward(loss)
        meter.update(loss.item(), len(xy))
    acc.close()
    meter_log.append(round(meter.avg, 5))
print("per epoch:", meter_log)
