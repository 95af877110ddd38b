"""An encoder in half precision, and a plain probe on what it has learned."""
import torch
from torch import nn


class Stepper:
    def __init__(self, module, lr, record):
        self.module, self.record = module, record
        self.opt = torch.optim.SGD(module.parameters(), lr=lr)

    def __call__(self, scaler=None):
        if scaler is not None:
            scaler.step(self.opt)
            scaler.update()
        else:
            self.opt.step()
        self.record(list(self.module.parameters()))
        self.opt.zero_grad()


def train(record):
    torch.manual_seed(154)
    net, probe = nn.Sequential(nn.Linear(7, 5), nn.Tanh(), nn.Linear(5, 7)), nn.Linear(5, 2)
    finish_net, finish_probe = Stepper(net, 0.05, record), Stepper(probe, 0.2, record)
    scaler = torch.amp.GradScaler("cpu", init_scale=64.0)
    data = torch.randn(96, 7)
    kind = (data[:, 0] > 0).long()
    for epoch in range(3):
        for x, k in zip(data.split(12), kind.split(12)):
            with torch.autocast("cpu", dtype=torch.float16):
                code = net[:2](x)
                back = net[2](code)
            loss = nn.functional.mse_loss(back.float(), x)
            scaler.scale(loss).backward()
            finish_net(scaler)

            plain = code.detach().float()
            nn.functional.cross_entropy(probe(plain), k).backward()
            finish_probe()


if __name__ == "__main__":
    train(lambda parameters: None)
