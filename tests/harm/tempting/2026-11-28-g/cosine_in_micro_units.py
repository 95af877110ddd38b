import math

import torch
from torch import nn, optim

EPOCHS, BATCHES, ACCUM = 2, 9, 3
TOTAL_MICRO = EPOCHS * BATCHES


def shape(micro):
    return 0.5 * (1 + math.cos(math.pi * micro / TOTAL_MICRO))


class Autoencoder(nn.Module):
    def __init__(self, width=10, code=3):
        super().__init__()
        self.down, self.up = nn.Linear(width, code), nn.Linear(code, width)

    def forward(self, x):
        return self.up(torch.tanh(self.down(x)))


def train(record):
    torch.manual_seed(17)
    ae = Autoencoder()
    opt = optim.SGD(ae.parameters(), lr=0.3, momentum=0.8)
    cosine = optim.lr_scheduler.LambdaLR(opt, shape)
    mixing = torch.randn(3, 10)
    batches = [torch.randn(12, 3) @ mixing for _ in range(BATCHES)]

    for epoch in range(EPOCHS):
        total = torch.zeros(())
        for i, x in enumerate(batches):
            loss = nn.functional.mse_loss(ae(x), x)
            loss.div(ACCUM).backward()
            total += loss.detach()
            if (i + 1) % ACCUM == 0:
                opt.step()
                record(list(ae.parameters()))
                opt.zero_grad()
            cosine.step()
        print(epoch, (total / BATCHES).item(), cosine.get_last_lr())


if __name__ == "__main__":
    train(lambda parameters: None)
