from functools import partial

import torch

from basket.clicks import ITEMS, USERS, loader
from basket.epoch import run_epoch
from basket.steps import flush
from basket.towers import TwoTowers

EPOCHS, BATCH, ACCUM = 4, 16, 4


def main():
    torch.manual_seed(0)
    batches = loader(BATCH)
    model = TwoTowers(USERS, ITEMS)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    updates = EPOCHS * -(-len(batches) // ACCUM)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda u: max(0.05, 1 - u / updates))
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
    close = partial(flush, optimizer, scaler, schedule)
    for epoch in range(EPOCHS):
        print(epoch, f"{run_epoch(model, batches, close, scaler, ACCUM):.4f}")


if __name__ == "__main__":
    main()
