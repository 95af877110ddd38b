import torch
from torch.nn.functional import mse_loss
from torch.nn.utils import clip_grad_norm_
from torch.optim.lr_scheduler import ExponentialLR

from common import *
from forecaster import Forecaster


def run():
    torch.manual_seed(13)
    net = Forecaster()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
    scheduler = ExponentialLR(optimizer, gamma=0.95)
    progress = Progress()
    for epoch in range(EPOCHS):
        error, count = 0.0, 0
        for past, level in tide_batches(seed=epoch):
            loss = mse_loss(net(past), level)
            (loss / WINDOW).backward()
            error, count = error + loss.item(), count + 1
            if progress.tick():
                clip_grad_norm_(net.parameters(), MAX_NORM)
                advance(optimizer, scheduler)
                optimizer.zero_grad()
        print(f"{epoch}: mse {error / count:.4f}, lr {scheduler.get_last_lr()[0]:.3f}")


if __name__ == "__main__":
    run()
