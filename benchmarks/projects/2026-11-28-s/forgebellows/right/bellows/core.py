from abc import ABC, abstractmethod


class Fitter(ABC):
    def __init__(self, net, optimizer):
        self.net = net
        self.optimizer = optimizer

    @abstractmethod
    def compute(self, batch): ...

    def guard(self):
        """Whatever limits the gradients of an update."""

    def on_loss(self, loss):
        pass

    def on_heat(self, heat):
        pass

    def one(self, batch):
        self.optimizer.zero_grad()
        loss = self.compute(batch)
        loss.backward()
        self.guard()
        self.optimizer.step()
        self.on_loss(loss.detach())

    def fit(self, batches, heats):
        for heat in range(heats):
            self.net.train()
            for batch in batches:
                self.one(batch)
            self.on_heat(heat)
