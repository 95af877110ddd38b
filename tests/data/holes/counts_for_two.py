# === right: each turn is two micro-batches, and counts for two
import torch


class PairLoss(torch.nn.Module):
    def forward(self, first, second, target):
        return (first - target).pow(2).mean() + (second - target).pow(2).mean()


def fit(model, loader, opt, accum):
    seen, pair_loss = 0, PairLoss()
    for first, second, target in loader:
        loss = pair_loss(model(first), model(second), target) / accum
        loss.backward()
        seen += 2
        if seen == accum:
            opt.step()
            opt.zero_grad()
            seen = 0
# === the step waits for half of what the loss is divided by
import torch


def fit(model, loader, opt):
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y) / 8
        loss.backward()  # <- accumulation-divisor-mismatch
        if (i + 1) % 4 == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()
