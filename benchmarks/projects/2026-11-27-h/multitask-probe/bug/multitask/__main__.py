import torch

from multitask.loop import run
from multitask.net import Shared
from multitask.tasks import Classify, Restore


def batches(n, size=32):
    basis = torch.randn(3, 16)
    for _ in range(n):
        y = torch.randint(0, 3, (size,))
        yield basis[y] + 0.5 * torch.randn(size, 16), y


torch.manual_seed(12)
print("refused", run(Shared(), [Classify(), Restore()], batches(40)))
