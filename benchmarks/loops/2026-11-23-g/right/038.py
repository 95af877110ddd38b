import torch
import torch.nn.functional as F
from torch import nn


class FrameClassifier(nn.Module):
    def __init__(self, mel=8, phones=6):
        super().__init__()
        self.gru = nn.GRU(mel, 16, batch_first=True)
        self.out = nn.Linear(16, phones)

    def forward(self, x):
        return self.out(self.gru(x)[0])


class FrameBudget:
    """Collects gradients until enough frames have been seen."""

    def __init__(self, model, optimizer, budget):
        self.model, self.optimizer, self.budget = model, optimizer, budget
        self.frames = 0
        self.updates = 0

    def add(self, loss_sum, frames):
        loss_sum.backward()
        self.frames += frames
        if self.frames >= self.budget:
            self.finish()

    def finish(self):
        if self.frames == 0:
            return
        for p in self.model.parameters():
            if p.grad is not None:
                p.grad.div_(self.frames)
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.frames = 0
        self.updates += 1


def corpus(n=14):
    for _ in range(n):
        length = int(torch.randint(10, 40, ()))
        x = torch.randn(1, length, 8)
        yield x, x[..., :6].argmax(-1)


torch.manual_seed(0)
data = list(corpus())
model = FrameClassifier()
budget = FrameBudget(model, torch.optim.Adam(model.parameters(), lr=1e-2), budget=90)
for epoch in range(3):
    nll = frames = 0
    for x, y in data:
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten(), reduction="sum")
        budget.add(loss, y.numel())
        nll += loss.item()
        frames += y.numel()
    budget.finish()
    print(epoch, budget.updates, nll / frames)
