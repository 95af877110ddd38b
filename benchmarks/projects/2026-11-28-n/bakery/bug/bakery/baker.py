from torch import nn, optim

from .parts import make_clock, make_loss


class Baker:
    def __init__(self, options, batches):
        self.options, self.batches = options, batches
        self.net = nn.Sequential(nn.Linear(4, 10), nn.Tanh(), nn.Linear(10, 1))
        self.optimizer = optim.NAdam(self.net.parameters(), lr=options.rate)
        self.loss = make_loss(options)
        self.clock = make_clock(self.optimizer, options)

    def knead(self, mix, rise):
        loss = self.loss(self.net(mix), rise)
        loss.backward()
        return loss.item()

    def bake(self):
        self.optimizer.step()
        self.net.zero_grad()

    def work(self):
        for day in range(self.options.days):
            seen, waiting = 0.0, 0
            for mix, rise in self.batches:
                seen += self.knead(mix, rise)
                waiting += 1
                if waiting == self.options.window:
                    self.bake()
                    waiting = 0
                self.clock.tick()
            if waiting:
                self.bake()
            print(day, round(seen, 4), self.clock.ticks)
