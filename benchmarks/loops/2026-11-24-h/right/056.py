"""Detector with an optional mixed-precision path."""
import torch
import torch.nn as nn


class Stepper:
    def __init__(self, optimizer, device, half, limit=None):
        self.optimizer = optimizer
        self.params = [p for g in optimizer.param_groups for p in g["params"]]
        self.scaler = torch.amp.GradScaler(device, init_scale=512) if half else None
        self.limit = limit

    def __call__(self, loss):
        self.optimizer.zero_grad()
        if self.scaler is None:
            loss.backward()
            self._clip()
            self.optimizer.step()
            return
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.optimizer)
        self._clip()
        self.scaler.step(self.optimizer)
        self.scaler.update()

    def _clip(self):
        if self.limit is not None:
            nn.utils.clip_grad_norm_(self.params, self.limit)


class Spotter(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Conv2d(1, 8, 3, 2, 1), nn.ReLU(), nn.Conv2d(8, 8, 3, 2, 1), nn.ReLU(), nn.Flatten())
        self.box, self.obj = nn.Linear(72, 2), nn.Linear(72, 1)

    def forward(self, x):
        h = self.f(x)
        return self.box(h).sigmoid(), self.obj(h).squeeze(1)


def pictures(n):
    img, pos = torch.zeros(n, 1, 12, 12), torch.randint(0, 10, (n, 2))
    has = (torch.rand(n) < 0.8)
    for k in range(n):
        if has[k]:
            img[k, 0, pos[k, 0]:pos[k, 0] + 3, pos[k, 1]:pos[k, 1] + 3] = 1
    return img, pos / 10, has.float()


def run(half):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    net = Spotter().to(device)
    apply = Stepper(torch.optim.Adam(net.parameters(), lr=3e-3), device, half, limit=2.0)
    for it in range(40):
        img, pos, has = (t.to(device) for t in pictures(16))
        with torch.autocast(device, dtype=torch.float16, enabled=half):
            box, obj = net(img)
        off = (nn.functional.l1_loss(box.float(), pos, reduction="none").sum(1) * has).sum() / has.sum().clamp(min=1)
        loss = off + nn.functional.binary_cross_entropy_with_logits(obj.float(), has)
        apply(loss)
    print("half" if half else "full", round(loss.item(), 4))


if __name__ == "__main__":
    run(False)
    run(True)
