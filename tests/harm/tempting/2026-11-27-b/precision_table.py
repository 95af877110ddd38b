import torch
from torch import nn

PRECISIONS = {"half": torch.float16, "brain": torch.bfloat16}


def faint_data(n):
    x = torch.randn(n, 8)
    return x, 1e-3 * x[:, :4].sin()


class Job:
    def __init__(self, precision):
        self.dtype = PRECISIONS[precision]
        self.net = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 4, bias=False))
        with torch.no_grad():
            self.net[2].weight.mul_(1e-3)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=1e-3, eps=1e-12)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=2.0**14)

    def loss(self, x, y):
        with torch.autocast("cpu", dtype=self.dtype):
            guess = self.net(x)
        return nn.functional.mse_loss(guess.float(), y)

    def turn(self, x, y):
        self.opt.zero_grad()
        loss = self.loss(x, y)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.opt)
        self.scaler.update()
        return loss.item()


def train(record):
    torch.manual_seed(57)
    x, y = faint_data(64)
    for precision in ("half", "brain"):
        job = Job(precision)
        for epoch in range(2):
            for xb, yb in zip(x.split(16), y.split(16)):
                value = job.turn(xb, yb)
                record(list(job.net.parameters()))
            print(precision, epoch, f"{value:.3e}")


if __name__ == "__main__":
    train(lambda parameters: None)
