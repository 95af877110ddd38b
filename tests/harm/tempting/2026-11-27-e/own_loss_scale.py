import torch
from torch import nn
from torch.amp import GradScaler


class MasterWeights:
    def __init__(self, net, lr):
        self.net = net
        self.master = [p.detach().clone() for p in net.parameters()]
        self.optimizer = torch.optim.Adam(self.master, lr=lr)

    def pull(self, scale):
        finite = True
        for p, m in zip(self.net.parameters(), self.master):
            m.grad = p.grad.float() / scale
            finite = finite and bool(torch.isfinite(m.grad).all())
        return finite

    def push(self):
        with torch.no_grad():
            for p, m in zip(self.net.parameters(), self.master):
                p.copy_(m)


class Loop:
    def __init__(self, net, record):
        self.net, self.record = net, record
        self.weights = MasterWeights(net, lr=0.01)
        self.scaler = GradScaler("cpu", init_scale=1024.0)
        self.good = 0

    def batch(self, x, y):
        loss = nn.functional.mse_loss(self.net(x), y)
        self.net.zero_grad()
        self.scaler.scale(loss).backward()
        scale = self.scaler.get_scale()
        if not self.weights.pull(scale):
            self.scaler.update(scale / 2)
            self.good = 0
            return None
        nn.utils.clip_grad_norm_(self.weights.master, 1.0)
        self.weights.optimizer.step()
        self.weights.push()
        self.record(list(self.net.parameters()))
        self.good += 1
        if self.good % 4 == 0:
            self.scaler.update(scale * 2)
        return loss.item()


def train(record):
    torch.manual_seed(37)
    net = nn.Sequential(nn.Linear(3, 10), nn.Tanh(), nn.Linear(10, 1))
    loop = Loop(net, record)
    for epoch in range(2):
        losses = []
        for _ in range(6):
            x = torch.randn(9, 3)
            losses.append(loop.batch(x, x.norm(dim=1, keepdim=True)))
        print(epoch, [round(v, 3) for v in losses], loop.scaler.get_scale())


if __name__ == "__main__":
    train(lambda parameters: None)
