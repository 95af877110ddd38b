import torch
from torch import nn


class HalfTrainer:
    def __init__(self, net, lr):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.5)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
        self.good = 0

    def forward_loss(self, x, y):
        with torch.autocast("cpu", dtype=torch.float16):
            out = self.net(x)
        return nn.functional.mse_loss(out.float(), y)

    def restore_size(self):
        inverse = 1.0 / self.scaler.get_scale()
        finite = True
        for p in self.net.parameters():
            p.grad.mul_(inverse)
            finite = finite and bool(torch.isfinite(p.grad).all())
        return finite

    def adjust(self, finite):
        scale = self.scaler.get_scale()
        self.good = self.good + 1 if finite else 0
        if not finite:
            self.scaler.update(scale / 2)
        elif self.good % 6 == 0:
            self.scaler.update(scale * 2)

    def learn(self, x, y, record):
        self.opt.zero_grad()
        self.scaler.scale(self.forward_loss(x, y)).backward()
        finite = self.restore_size()
        if finite:
            self.opt.step()
            record(list(self.net.parameters()))
        self.adjust(finite)


def train(record):
    torch.manual_seed(16)
    xs = torch.randn(8, 12, 4)
    trainer = HalfTrainer(nn.Sequential(nn.Linear(4, 10), nn.ReLU(), nn.Linear(10, 1)), lr=0.05)
    for epoch in range(2):
        for x in xs:
            trainer.learn(x, x.amax(1, keepdim=True), record)


if __name__ == "__main__":
    train(lambda parameters: None)
