import math
from functools import partial

import torch
from torch.nn.functional import huber_loss

from network import forecaster
from scoring import make_scorer
from series import hourly, numbered, windows
from updating import make_updater

ACCUM, EPOCHS = 4, 4


def main() -> None:
    torch.manual_seed(0)
    loss_fn = partial(huber_loss, delta=0.5)
    net, batches = forecaster(), windows(hourly())
    train, held_out = batches[4:], batches[:4]
    update, advance = make_updater(net, 0.1, EPOCHS * math.ceil(len(train) / ACCUM))
    score = make_scorer(net, held_out, loss_fn)
    rate = 0.1
    for epoch in range(EPOCHS):
        net.train()
        for n, (x, y) in numbered(train):
            (loss_fn(net(x), y) / ACCUM).backward()
            if n % ACCUM == 0 or n == len(train):
                update()
                rate = advance()
        print(f"{epoch} held out {score():.4f} rate {rate:.4f}")


if __name__ == "__main__":
    main()
