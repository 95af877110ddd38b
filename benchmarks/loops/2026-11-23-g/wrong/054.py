import torch
from torch import nn
import torch.nn.functional as F


class AmpStepper:
    """Everything about mixed precision in one place."""

    def __init__(self, model, optimizer, every=2, clip=1.0, enabled=True):
        self.model, self.optimizer = model, optimizer
        self.scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, enabled=enabled)
        self.every, self.clip, self.pending = every, clip, 0

    def __call__(self, loss):
        self.scaler.scale(loss).backward()
        self.pending += 1
        if self.pending == self.every:
            self.flush()

    def flush(self):
        if not self.pending:
            return
        nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)
        self.pending = 0


class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(7, 20), nn.ReLU(), nn.Linear(20, 5))

    def forward(self, a, b):
        return (self.f(a) - self.f(b)).pow(2).sum(1)


def contrastive(dist, same, margin=1.0):
    return (same * dist + (1 - same) * F.relu(margin - dist)).mean()


def run(epochs=2):
    torch.manual_seed(21)
    net = Siamese()
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    backward_and_step = AmpStepper(net, opt)
    a = torch.randn(12, 8, 7)
    same = (torch.rand(12, 8) > 0.5).float()
    b = torch.where(same[..., None] > 0, a + 0.05, torch.randn_like(a))
    for epoch in range(epochs):
        for xa, xb, s in zip(a, b, same):
            with torch.autocast("cpu", dtype=torch.float16):
                loss = contrastive(net(xa, xb), s)
            backward_and_step(loss)
        backward_and_step.flush()
        print(f"epoch {epoch}: {loss.item():.4f}")


run()
