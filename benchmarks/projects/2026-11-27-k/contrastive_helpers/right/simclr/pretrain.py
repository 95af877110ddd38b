import torch
from torch.nn import functional as F

from simclr.common import backward
from simclr.optim import sgd_with_cosine
from simclr.views import two_views


def nt_xent(model, x, tau=0.3):
    a, b = (F.normalize(model(v), dim=1) for v in two_views(x))
    return F.cross_entropy(a @ b.T / tau, torch.arange(len(x)))


def pretrain(model, batches, rounds, per_update):
    optimizer, cosine = sgd_with_cosine(model, 0.2, rounds, len(batches), per_update)
    model.train()
    optimizer.zero_grad()
    for r in range(rounds):
        shown = 0.0
        for i, (x, _) in enumerate(batches):
            shown += backward(model, nt_xent, (x,), weight=1 / per_update)
            if i % per_update == per_update - 1 or i == len(batches) - 1:
                optimizer.step()
                cosine.step()
                optimizer.zero_grad()
        print(f"nt-xent {r}: {shown / len(batches):.3f} lr {cosine.get_last_lr()[0]:.4f}")
