import torch
from torch import nn
from torch.amp import GradScaler, autocast


class Forecaster(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.rnn = nn.GRU(2, width, batch_first=True)
        self.out = nn.Linear(width, 2)

    def forward(self, x):
        return self.out(self.rnn(x)[0][:, -1])


class Runner:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
        self.scaler = GradScaler("cpu", init_scale=2.0**7, growth_interval=3)

    def loss(self, x, y):
        with autocast("cpu", dtype=torch.float16, enabled=False):
            return nn.functional.mse_loss(self.net(x), y)

    def iterate(self, x, y, record):
        self.opt.zero_grad(set_to_none=True)
        loss = self.loss(x, y)
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.opt)
        norm = nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.scaler.update()
        self.opt.step()
        record(list(self.net.parameters()))
        return loss.item(), norm.item()


def train(record):
    torch.manual_seed(646)
    walk = torch.randn(48, 9, 2).cumsum(1) / 3
    runner = Runner(Forecaster())
    for epoch in range(3):
        for piece in walk.split(8):
            shown = runner.iterate(piece[:, :-1], piece[:, -1], record)
        print(epoch, *shown, runner.scaler.get_scale())


if __name__ == "__main__":
    train(lambda parameters: None)
