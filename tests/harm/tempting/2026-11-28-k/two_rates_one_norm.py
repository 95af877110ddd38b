"""Mixed precision with one optimizer for the body and one for the head; one norm limits both."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 20), nn.ReLU())
        self.head = nn.Linear(20, 5)

    def forward(self, x):
        return self.head(self.body(x))


class Stepper:
    def __init__(self, net, scaler, limit):
        self.net, self.scaler, self.limit = net, scaler, limit
        self.body = torch.optim.SGD(net.body.parameters(), lr=0.05, momentum=0.9)
        self.head = torch.optim.SGD(net.head.parameters(), lr=0.2)

    def zero(self):
        self.body.zero_grad()
        self.head.zero_grad()

    def limit_norm(self):
        self.scaler.unscale_(self.body)
        return torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.limit)

    def __call__(self):
        norm = self.limit_norm()
        self.scaler.step(self.body)
        self.scaler.step(self.head)
        self.scaler.update()
        return norm.item()


def train(record):
    torch.manual_seed(9)
    net = Net()
    scaler = torch.amp.GradScaler("cpu", init_scale=64.0, growth_interval=100)
    step = Stepper(net, scaler, limit=1.0)
    x = torch.randn(80, 10)
    y = x[:, :5].argmax(1)
    for epoch in range(4):
        for rows in torch.randperm(80).split(16):
            step.zero()
            loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
            scaler.scale(loss).backward()
            norm = step()
            record(list(net.parameters()))
        print(epoch, f"{loss.item():.4f}", f"{norm:.4f}")


if __name__ == "__main__":
    train(lambda parameters: None)
