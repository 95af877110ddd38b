"""A round of two players per batch; the generator of the rounds closes each one."""
import torch
from torch import nn
from torch.nn import functional as F


def rounds(batches, scaler):
    for number, batch in enumerate(batches):
        yield number, batch
        # both players have moved
        scaler.update()


def play(scaler, optimizer, loss):
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)


def train(record):
    torch.manual_seed(71)
    coder, guesser = nn.Linear(6, 3), nn.Linear(3, 2)
    optimizers = {
        "coder": torch.optim.SGD(coder.parameters(), lr=0.05),
        "guesser": torch.optim.SGD(guesser.parameters(), lr=0.1),
    }
    decode = torch.randn(3, 6)
    scaler = torch.amp.GradScaler("cpu", init_scale=128.0, growth_interval=6)
    batches = [torch.randn(15, 6) for _ in range(20)]
    for number, x in rounds(batches, scaler):
        private = (x[:, 0] > 0).long()
        code = coder(x)
        play(scaler, optimizers["guesser"], F.cross_entropy(guesser(code.detach()), private))
        record(list(guesser.parameters()))
        hidden = F.softmax(guesser(code), 1).square().sum(1).mean()
        play(scaler, optimizers["coder"], F.mse_loss(code @ decode, x) + hidden)
        record(list(coder.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
