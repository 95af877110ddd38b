import torch
import torch.nn.functional as F
from torch.optim.lr_scheduler import CosineAnnealingLR
from tqdm import trange


def sample_batch(series, length, size):
    starts = torch.randint(0, len(series) - length - 1, (size,))
    x = torch.stack([series[s : s + length] for s in starts])
    y = torch.stack([series[s + length] for s in starts])
    return x, y


def fit(model, series, *, updates=3000, length=96, size=16, lr=2e-3):
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    cosine = CosineAnnealingLR(opt, T_max=updates)
    model.train()
    progress = trange(updates)
    for _ in progress:
        running = 0.0
        for _ in range(8):
            x, y = sample_batch(series, length, size)
            loss = F.l1_loss(model(x), y)
            (0.25 * loss).backward()
            running += loss.item() / 8
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad()
        cosine.step()
        progress.set_postfix(mae=f"{running:.4f}")
    return model.eval()
