import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR


class WindowLR(LambdaLR):
    def __init__(self, optimizer, ramp, window):
        self.window, self.asked = window, 0
        super().__init__(optimizer, ramp)
        self.asked = 0

    def step(self, epoch=None):
        self.asked += 1
        if self.asked == 1 and self.last_epoch < 0 or self.asked % self.window == 0:
            super().step()


def train(record):
    torch.manual_seed(618)
    x, shift = torch.randn(96, 6), torch.randn(6, 1)
    y = (x @ shift).tanh()
    model = nn.Sequential(nn.Linear(6, 12), nn.ELU(), nn.Linear(12, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.4)
    accum, epochs, batches = 4, 3, 12
    updates = epochs * batches // accum
    schedule = WindowLR(optimizer, lambda u: max(0.0, 1 - u / updates), accum)
    optimizer.zero_grad()
    for epoch in range(epochs):
        for i, (a, b) in enumerate(zip(x.split(8), y.split(8))):
            loss = nn.functional.mse_loss(model(a), b)
            (loss / accum).backward()
            if (i + 1) % accum == 0:
                optimizer.step()
                optimizer.zero_grad()
                record(list(model.parameters()))
            schedule.step()
        print(epoch, loss.item(), schedule.get_last_lr())


if __name__ == "__main__":
    train(lambda parameters: None)
