import torch

from ferry.amp_mixin import AmpMixin
from ferry.schedule_mixin import ScheduleMixin
from ferry.update_mixin import PlainUpdateMixin


class FerryTrainer(AmpMixin, ScheduleMixin, PlainUpdateMixin):
    def __init__(self, net, batches, accumulate, epochs):
        self.net, self.batches = net, batches
        self.accumulate, self.epochs = accumulate, epochs
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
        self.losses, self.updates = [], 0
        self.setup_amp()
        self.setup_schedule()

    def train(self):
        for epoch in range(self.epochs):
            self.train_epoch()
            recent = self.losses[-len(self.batches):]
            print(epoch, self.updates, round(sum(recent) / len(recent), 4))

    def train_epoch(self):
        self.net.train()
        for n, batch in enumerate(self.batches, start=1):
            loss = self.loss_of(batch)
            self.backward(loss)
            if n % self.accumulate == 0 or n == len(self.batches):
                self.advance()
                self.finish()
                self.after_update()
            self.after_batch(loss)
