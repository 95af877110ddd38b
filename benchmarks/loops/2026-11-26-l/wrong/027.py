import torch

torch.manual_seed(2)
net = torch.nn.Sequential(torch.nn.Linear(9, 18), torch.nn.Tanh(), torch.nn.Linear(18, 1))
sgd = torch.optim.SGD(net.parameters(), lr=0.05)


class Meter:
    def __init__(self):
        self.sum, self.count = 0, 0

    def update(self, value, n=1):
        self.sum = self.sum + value * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(self.count, 1)


meter = Meter()
for step in range(60):
    x = torch.randn(16, 9)
    y = x[:, :1] - x[:, 1:2]
    loss = (net(x) - y).abs().mean()
    sgd.zero_grad()
    loss.backward()
    sgd.step()
    meter.update(loss, len(x))
    if (step + 1) % 20 == 0:
        print(step + 1, float(meter.avg))
