import torch
import torch.nn as nn


class AmpContext:
    def __init__(self, enabled=True):
        self.scaler = torch.amp.GradScaler("cpu", enabled=enabled, init_scale=2048.0)

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def true_gradients(self, opt):
        self.scaler.unscale_(opt)
        return [p for g in opt.param_groups for p in g["params"] if p.grad is not None]

    def finish(self, opt):
        self.scaler.step(opt)
        self.scaler.update()


torch.manual_seed(0)
model = nn.Sequential(nn.Conv1d(1, 6, 5), nn.ReLU(), nn.AdaptiveMaxPool1d(4), nn.Flatten(), nn.Linear(24, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
amp = AmpContext()
for step in range(10):
    wave = torch.randn(12, 1, 50)
    label = (wave.mean((1, 2)) > 0).long()
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        loss = nn.functional.cross_entropy(model(wave), label)
    amp.backward(loss)
    nn.utils.clip_grad_norm_(amp.true_gradients(optimizer), 0.3)
    amp.finish(optimizer)
print(loss.item())
