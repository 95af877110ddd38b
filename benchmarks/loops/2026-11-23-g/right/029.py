# AMP + accumulation + guard: a micro-batch with a non-finite loss spoils its window, which is then started afresh.
import logging
import math

import torch
from torch import nn

logging.basicConfig(format="%(levelname)s %(message)s", level=logging.INFO)
WINDOW = 3


def readings(n):
    for k in range(n):
        x = torch.randn(8, 6)
        y = x[:, :1] * 0.5
        if k == 7:
            y[0] = float("nan")
        yield x, y


def run_epoch(net, opt, scaler, epoch, n=20):
    filled = updates = dropped = 0
    total = 0.0
    opt.zero_grad()
    for x, y in readings(n):
        with torch.autocast("cpu", dtype=torch.float16):
            out = net(x)
        loss = nn.functional.mse_loss(out.float(), y)
        value = loss.item()
        if not math.isfinite(value):
            logging.warning("epoch %d: loss is %s, window dropped", epoch, value)
            opt.zero_grad()
            filled, dropped = 0, dropped + 1
            continue
        total += value
        scaler.scale(loss / WINDOW).backward()
        filled += 1
        if filled == WINDOW:
            apply(net, opt, scaler)
            filled, updates = 0, updates + 1
    if filled:
        apply(net, opt, scaler)
        updates += 1
    logging.info("epoch %d: mse %.4f, %d updates, %d dropped", epoch, total / (n - dropped), updates, dropped)


def apply(net, opt, scaler):
    scaler.unscale_(opt)
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()
    opt.zero_grad()


if __name__ == "__main__":
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1)).train()
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    for epoch in range(2):
        run_epoch(net, opt, scaler, epoch)
