from torch import optim

from .checking import CheckMixin
from .precision import HalfMixin
from .updating import UpdateMixin


class KilnTrainer(HalfMixin, UpdateMixin, CheckMixin):
    def __init__(self, net, lr, limit):
        self.net, self.limit = net, limit
        self.optimizer = optim.SGD(net.parameters(), lr=lr)
        self.set_up_precision()

    def fit(self, batches, held_out, epochs):
        for epoch in range(epochs):
            self.net.train()
            for curve, cracked in batches:
                loss = self.compute_loss(curve, cracked)
                self.backpropagate(loss)
                norm = self.update()
            print(epoch, round(loss.item(), 4), round(norm, 3), self.check(held_out))
