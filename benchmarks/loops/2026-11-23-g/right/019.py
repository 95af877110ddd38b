"""fp16 training where the schedule only moves when the scaler did not skip the update."""
import argparse

import torch
import torch.nn as nn


def options():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=14)
    ap.add_argument("--fp16", action=argparse.BooleanOptionalAction, default=True)
    ap.add_argument("--init-scale", type=float, default=2.0 ** 20)
    return ap.parse_args([])


class Ranker(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.doc = nn.Linear(9, 12), nn.Linear(11, 12)

    def forward(self, q, d):
        return (self.query(q) * self.doc(d)).sum(-1)


def main():
    opt = options()
    torch.manual_seed(6)
    ranker = Ranker().train()
    sgd = torch.optim.SGD(ranker.parameters(), lr=0.05)
    warm = torch.optim.lr_scheduler.LinearLR(sgd, 0.1, 1.0, total_iters=6)
    scaler = torch.amp.GradScaler("cpu", init_scale=opt.init_scale, enabled=opt.fp16)
    truth = torch.randn(9, 11)
    skipped = 0
    for it in range(opt.iters):
        q, d = torch.randn(20, 9), torch.randn(20, 11)
        clicked = ((q @ truth) * d).sum(1).gt(0).float()
        with torch.autocast("cpu", torch.float16, enabled=opt.fp16):
            score = ranker(q, d)
        loss = nn.functional.binary_cross_entropy_with_logits(score.float(), clicked)
        sgd.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(sgd)
        before = scaler.get_scale()
        scaler.update()
        if scaler.get_scale() >= before:
            warm.step()
        else:
            skipped += 1
    print(f"loss {loss.item():.4f} lr {warm.get_last_lr()[0]:.4f} skipped {skipped} of {opt.iters}")


if __name__ == "__main__":
    main()
