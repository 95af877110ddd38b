"""Weather in the mountains; from some day on the fit is limited, the penalty never is."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_


class Forecaster:
    def __init__(self, limited_from):
        self.net = nn.Sequential(nn.Linear(4, 10), nn.GELU(), nn.Linear(10, 1))
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
        self.limited_from = limited_from

    def penalty(self):
        return 0.05 * sum(w.abs().sum() for w in self.net.parameters())

    def day(self, number, sky, rain):
        self.optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            guess = self.net(sky)
        self.scaler.scale(F.smooth_l1_loss(guess.float(), rain)).backward()
        self.scaler.unscale_(self.optimizer)
        if number >= self.limited_from:
            clip_grad_norm_(self.net.parameters(), 0.3)
        # the pull to nought is added whole
        self.penalty().backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()


def train(record):
    torch.manual_seed(35)
    forecaster = Forecaster(limited_from=10)
    for number in range(24):
        sky = torch.randn(12, 4)
        forecaster.day(number, sky, sky[:, :2].prod(1, keepdim=True))
        record(list(forecaster.net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
