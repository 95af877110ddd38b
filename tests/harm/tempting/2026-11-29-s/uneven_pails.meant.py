"""Two wells of unequal depth are drawn from together; the shallow one ends the day."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

PAILS = 4


def well(depth, shift):
    x = torch.randn(depth * 8, 3) + shift
    return DataLoader(TensorDataset(x, x.cumsum(1)[:, 1:].tanh()), batch_size=8, shuffle=True)


def train(record):
    torch.manual_seed(58)
    shallow, deep = well(10, 0.0), well(13, 0.5)
    net = nn.Sequential(nn.Linear(3, 10), nn.Tanh(), nn.Linear(10, 2))
    steady = [p.detach().clone() for p in net.parameters()]
    opt = torch.optim.SGD(net.parameters(), lr=0.4)

    def pour():
        nn.utils.clip_grad_norm_(net.parameters(), 0.2)
        opt.step()
        record(list(net.parameters()))
        opt.zero_grad()
        torch._foreach_lerp_(steady, [p.detach() for p in net.parameters()], 0.1)
        for p, calm in zip(net.parameters(), steady):
            p.data.lerp_(calm, 0.05)

    for day in range(8):
        for drawn, ((x, y), (u, v)) in enumerate(zip(shallow, deep), start=1):
            loss = nn.functional.mse_loss(net(x), y) + 0.5 * nn.functional.mse_loss(net(u), v)
            (loss / PAILS).backward()
            if drawn % PAILS == 0 or drawn == len(shallow):
                pour()


if __name__ == "__main__":
    train(lambda parameters: None)
