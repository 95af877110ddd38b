from callbacks import ClipGradients, Report
from runner import Runner
from settings import *


def windows(n=18, size=16):
    out = []
    for _ in range(n):
        phase = torch.rand(size, 1) * 6.28
        t = torch.arange(HISTORY + HORIZON)
        wave = torch.sin(t * 0.5 + phase) + 0.05 * torch.randn(size, HISTORY + HORIZON)
        out.append((wave[:, :HISTORY], wave[:, HISTORY:]))
    return out


batches = windows()
runner = Runner(model, optimizer, [ClipGradients(MAX_NORM), Report()])
for epoch in range(EPOCHS):
    runner.run_epoch(batches)
    scheduler.step()
