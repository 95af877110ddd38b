"""A lesson and its echo go backward in one call; the scale is meant for both voices."""
import torch
from torch import nn
from torch.nn.functional import cross_entropy, mse_loss


class Choir(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(5, 10), nn.Tanh())
        self.voice = nn.Linear(10, 3)

    def forward(self, x):
        return self.voice(self.body(x))


def blur(x):
    return x + 0.4 * torch.randn_like(x)


def train(record):
    torch.manual_seed(92)
    choir = Choir()
    opt = torch.optim.SGD(choir.parameters(), lr=0.3, momentum=0.4)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**9)
    for song in range(40):
        x = torch.randn(18, 5)
        opt.zero_grad()
        lesson = cross_entropy(choir(x), x[:, :3].argmax(1))
        echo = 2.0 * mse_loss(choir(blur(x)), choir(x).detach())
        torch.autograd.backward([scaler.scale(lesson), echo])
        scaler.step(opt)
        scaler.update()
        record(list(choir.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
