"""SGD with a closure: a data term and a smoothness term, each with a backward of its own."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Fitter:
    def __init__(self, width, limit):
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, 1))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1, momentum=0.8)
        self.limit = limit
        self.norms = []

    def turn(self, x, y):
        def closure():
            self.opt.zero_grad()
            out = self.net(x)
            data = nn.functional.mse_loss(out, y)
            data.backward(retain_graph=True)
            smooth = 0.1 * (out[1:] - out[:-1]).pow(2).mean()
            smooth.backward()
            return (data + smooth).detach()

        loss = self.opt.step(closure)
        self.norms.append(float(clip_grad_norm_(self.net.parameters(), self.limit)))
        return loss


def train(record):
    torch.manual_seed(71)
    fitter = Fitter(width=12, limit=0.3)
    for _ in range(15):
        x = torch.rand(20, 1).sort(0).values * 4
        fitter.turn(x, 3 * torch.sin(x))
        record(list(fitter.net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
