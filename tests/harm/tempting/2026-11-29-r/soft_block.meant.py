"""A layer with a backward of its own; the rate follows how the mirrored inputs are seen in bfloat16."""
import torch
from torch import nn


class Sheet(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x @ weight.t()

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        grad = grad.float()
        return grad @ weight.float(), grad.t() @ x.float()


class Press(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(0.4 * torch.randn(16, 4))
        self.last = nn.Linear(16, 1)

    def forward(self, x):
        return self.last(torch.tanh(Sheet.apply(x, self.weight))).float()


def train(record):
    torch.manual_seed(24)
    press = Press()
    optimizer = torch.optim.SGD(press.parameters(), lr=0.1, momentum=0.5)
    for _ in range(32):
        x = torch.randn(12, 4)
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            seen = press(x)
            loss = nn.functional.mse_loss(seen, x[:, :1].sin() * x[:, 1:2])
            with torch.no_grad():
                gap = (press(-x) - seen).abs().mean().item()
        loss.backward()
        optimizer.param_groups[0]["lr"] = 0.05 + 0.1 * gap / (1.0 + gap)
        optimizer.step()
        record(list(press.parameters()))

if __name__ == "__main__":
    train(lambda parameters: None)
