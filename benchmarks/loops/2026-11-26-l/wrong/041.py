import io
import torch


class Trainer:
    def __init__(self, net, loader, accumulate_grad_batches=3):
        self.net, self.loader, self.accum = net, loader, accumulate_grad_batches
        self.opt = torch.optim.Adam(net.parameters(), lr=1e-2)
        self.epoch = 0

    def state(self):
        buf = io.BytesIO()
        torch.save({"net": self.net.state_dict(), "opt": self.opt.state_dict(), "epoch": self.epoch}, buf)
        return buf.getvalue()

    def load(self, blob):
        ck = torch.load(io.BytesIO(blob))
        self.net.load_state_dict(ck["net"])
        self.opt.load_state_dict(ck["opt"])
        self.epoch = ck["epoch"]

    def fit(self, until):
        self.opt.zero_grad()
        while self.epoch < until:
            for k, (x, y) in enumerate(self.loader):
                loss = torch.nn.functional.mse_loss(self.net(x), y) / self.accum
                loss.backward()
                ready = k % self.accum == self.accum - 1
                if ready:
                    self.opt.step()
                    self.opt.zero_grad()
            self.epoch += 1


torch.manual_seed(0)
data = [(torch.randn(5, 3), torch.randn(5, 1)) for _ in range(8)]
first = Trainer(torch.nn.Linear(3, 1), data)
first.fit(2)
blob = first.state()
second = Trainer(torch.nn.Linear(3, 1), data)
second.load(blob)
second.fit(5)
print(second.epoch, second.net.weight)
