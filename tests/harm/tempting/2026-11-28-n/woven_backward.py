"""A loom whose shuttle mixes the gradients of its threads on the way back."""
import torch
from torch import nn
from torch.nn import functional as F


class Shuttle(torch.autograd.Function):
    @staticmethod
    def forward(ctx, threads, mixing):
        ctx.save_for_backward(mixing)
        return threads.clone()

    @staticmethod
    def backward(ctx, gradient):
        (mixing,) = ctx.saved_tensors
        return (gradient.float() @ mixing).to(gradient.dtype), None


class Loom(nn.Module):
    def __init__(self, threads=8):
        super().__init__()
        self.warp, self.weft = nn.Linear(4, threads), nn.Linear(threads, 2)
        mixing = torch.eye(threads) + 0.15 * torch.randn(threads, threads)
        self.register_buffer("mixing", mixing)

    def forward(self, yarn):
        return self.weft(Shuttle.apply(torch.tanh(self.warp(yarn)).float(), self.mixing))


def train(record):
    torch.manual_seed(39)
    loom = Loom()
    optimizer = torch.optim.SGD(loom.parameters(), lr=0.2, momentum=0.9)
    for _ in range(18):
        yarn = torch.randn(10, 4)
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            front = F.mse_loss(loom(yarn).float(), yarn[:, :2])
            front.backward()
            back = 0.5 * F.mse_loss(loom(-yarn).float(), -yarn[:, :2])
        back.backward()
        optimizer.step()
        record(list(loom.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
