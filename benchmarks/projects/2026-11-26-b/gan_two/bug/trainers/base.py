import torch

from meters import Average


class AdversarialTrainer:
    """One network, its optimizer and the hooks around an update."""

    def __init__(self, net, lr, scaler):
        self.net = net
        self.scaler = scaler
        self.opt = torch.optim.Adam(net.parameters(), lr=lr, betas=(0.5, 0.9))
        self.meter = Average()

    def loss(self, real):
        raise NotImplementedError

    def before_update(self):
        self.opt.zero_grad(set_to_none=True)

    def after_update(self):
        pass

    def start_epoch(self):
        self.net.train()
        self.meter.reset()

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def update(self, real):
        self.before_update()
        with torch.autocast("cpu", dtype=torch.float16):
            loss = self.loss(real)
        self.backward(loss)
        self.scaler.step(self.opt)
        self.scaler.update()
        self.meter.add(loss, len(real))
        self.after_update()

    def report(self):
        return self.meter.value
