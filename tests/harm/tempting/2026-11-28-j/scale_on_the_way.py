"""The loss keeps its value for the plot; its gradient is scaled where it enters the graph."""
import torch
from torch import nn


def graded(scaler, loss):
    """The loss itself, whose gradient leaves it times the scale."""
    loss.register_hook(lambda grad: scaler.scale(grad))
    return loss


class Mixer(nn.Module):
    def __init__(self, width=14):
        super().__init__()
        self.inner = nn.Linear(7, width)
        self.outer = nn.Linear(width, 7)

    def forward(self, x):
        return x + self.outer(torch.relu(self.inner(x)))


def train(record):
    torch.manual_seed(17)
    net = Mixer()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, nesterov=True, momentum=0.8)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**10, growth_interval=8)
    rotation = torch.linalg.qr(torch.randn(7, 7)).Q
    curve = []
    for _ in range(25):
        x = torch.randn(20, 7)
        optimizer.zero_grad()
        loss = graded(scaler, nn.functional.smooth_l1_loss(net(x), x @ rotation))
        curve.append(loss.item())
        loss.backward()
        scaler.step(optimizer)
        scaler.update()
        record(list(net.parameters()))
    return curve


if __name__ == "__main__":
    train(lambda parameters: None)
