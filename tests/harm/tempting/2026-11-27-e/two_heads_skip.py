import torch
from torch import nn
from torch.amp import GradScaler


def make_batch(step):
    x = torch.randn(10, 4)
    y = x.sum(1, keepdim=True)
    if step == 3:
        y[0] = float("nan")
    return x, y


class TwoPart(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(4, 10)
        self.decoder = nn.Linear(10, 1)

    def forward(self, x):
        return self.decoder(torch.relu(self.encoder(x)))


def train(record):
    torch.manual_seed(14)
    net = TwoPart()
    opt_e = torch.optim.SGD(net.encoder.parameters(), lr=0.02)
    opt_d = torch.optim.Adam(net.decoder.parameters(), lr=0.005)
    scaler = GradScaler("cpu", init_scale=256.0, growth_interval=2)
    skipped = 0
    for epoch in range(2):
        for step in range(6):
            x, y = make_batch(step)
            with torch.autocast("cpu", dtype=torch.float16, enabled=False):
                loss = nn.functional.mse_loss(net(x), y)
            if not torch.isfinite(loss):
                skipped += 1
                continue
            opt_e.zero_grad()
            opt_d.zero_grad()
            scaler.scale(loss).backward()
            scaler.unscale_(opt_e)
            nn.utils.clip_grad_norm_(net.encoder.parameters(), 1.0)
            scaler.step(opt_e)
            record(list(net.parameters()))
            if step % 2 == 0:
                scaler.unscale_(opt_d)
                nn.utils.clip_grad_value_(net.decoder.parameters(), 0.5)
                scaler.step(opt_d)
                record(list(net.parameters()))
            scaler.update()
        print(epoch, "skipped", skipped, "scale", scaler.get_scale())


if __name__ == "__main__":
    train(lambda parameters: None)
