"""Half light for the forward; what the net says in half light after the slopes is next round's memory."""
import torch
from torch import nn
from torch.nn.functional import mse_loss


class Turned(torch.autograd.Function):
    """Lets values through and turns the slopes on their way back."""

    @staticmethod
    def forward(ctx, values, turn):
        ctx.save_for_backward(turn)
        return values.clone()

    @staticmethod
    def backward(ctx, slope):
        (turn,) = ctx.saved_tensors
        return slope @ turn, None


class Lantern(nn.Module):
    def __init__(self):
        super().__init__()
        self.wick, self.glass = nn.Linear(4, 8), nn.Linear(8, 1)
        self.register_buffer("turn", torch.eye(8) + 0.05 * torch.randn(8, 8))

    def forward(self, x):
        return self.glass(Turned.apply(self.wick(x).float(), self.turn).tanh())


def train(record):
    torch.manual_seed(72)
    net = Lantern()
    opt = torch.optim.SGD(net.parameters(), lr=0.2)
    rooms = torch.randn(6, 16, 4)
    memory = torch.zeros(6, 16, 1)
    for turn in range(42):
        room = turn % 6
        x = rooms[room]
        opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            light = net(x).float()
            loss = mse_loss(light, x[:, :1] * x[:, 1:2]) + 0.5 * mse_loss(light, memory[room])
        loss.backward()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            with torch.no_grad():
                memory[room] = net(x + 0.1).float()
        opt.step()
        record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
