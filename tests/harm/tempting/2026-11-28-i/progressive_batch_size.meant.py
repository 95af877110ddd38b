"""The batch doubles from stage to stage by accumulation; the rate is a function of the updates made."""
import torch
from torch import nn

STAGES = ((1, 8), (2, 8), (4, 6))
UPDATES = sum(updates for _, updates in STAGES)


class Progress:
    def __init__(self, schedule):
        self.schedule, self.losses = schedule, []

    def after_batch(self, loss):
        self.losses.append(loss.item())

    def summary(self):
        tail = self.losses[-8:]
        return sum(tail) / len(tail), self.schedule.get_last_lr()[0]


def draw(generator):
    x = torch.randn(8, 10, generator=generator)
    return x, x.topk(2, dim=1).values.sum(1, keepdim=True)


def train(record):
    torch.manual_seed(70)
    generator = torch.Generator().manual_seed(71)
    net = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    schedule = torch.optim.lr_scheduler.LambdaLR(opt, lambda n: max(0.02, 1 - n / UPDATES))
    progress = Progress(schedule)
    for accum, updates in STAGES:
        for micro in range(accum * updates):
            x, y = draw(generator)
            loss = nn.functional.mse_loss(net(x), y)
            (loss / accum).backward()
            if (micro + 1) % accum == 0:
                nn.utils.clip_grad_norm_(net.parameters(), 1.0)
                opt.step()
                record(list(net.parameters()))
                schedule.step()
                opt.zero_grad()
            progress.after_batch(loss)
        print(accum, progress.summary())


if __name__ == "__main__":
    train(lambda parameters: None)
