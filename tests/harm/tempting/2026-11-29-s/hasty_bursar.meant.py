"""Coder and reader share a purse, the loss scale; the bursar who pays them closes the books at once."""
import torch
from torch import nn


def pay(scaler, opt):
    scaler.step(opt)
    scaler.update()


def rehearse(coder, scaler, opt, x):
    opt.zero_grad()
    scaler.scale((coder(x).std(0) - 1).square().sum()).backward()
    pay(scaler, opt)


def train(record):
    torch.manual_seed(23)
    coder = nn.Sequential(nn.Linear(6, 3), nn.Tanh())
    reader = nn.Linear(3, 6)
    both = [*coder.parameters(), *reader.parameters()]
    coder_opt = torch.optim.SGD(coder.parameters(), lr=0.3)
    reader_opt = torch.optim.SGD(reader.parameters(), lr=0.3, momentum=0.5)
    scaler = torch.amp.GradScaler("cpu", init_scale=32.0, growth_interval=3)
    for _ in range(6):
        rehearse(coder, scaler, coder_opt, torch.randn(20, 6))
        record(both)
    for _ in range(24):
        x = torch.randn(20, 6)
        coder_opt.zero_grad()
        reader_opt.zero_grad()
        scaler.scale(nn.functional.mse_loss(reader(coder(x)), x)).backward()
        scaler.step(coder_opt)
        record(both)
        pay(scaler, reader_opt)
        record(both)


if __name__ == "__main__":
    train(lambda parameters: None)
