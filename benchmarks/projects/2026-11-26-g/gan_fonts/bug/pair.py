from torch.optim import Adam
from torch.optim.lr_scheduler import ExponentialLR


class OptimizerPair:
    def __init__(self, nets, lr):
        self.optimizers = {name: Adam(net.parameters(), lr=lr, betas=(0.5, 0.99)) for name, net in nets.items()}
        self.schedules = {name: ExponentialLR(opt, gamma=0.8) for name, opt in self.optimizers.items()}

    def advance(self, name):
        self.optimizers[name].step()
        self.optimizers[name].zero_grad()

    def rates(self):
        return [round(s.get_last_lr()[0], 6) for s in self.schedules.values()]
