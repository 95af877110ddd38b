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
        self.guard()
        loss.backward()
        self.optimizer.step()
        self.on_loss(loss)

    def fit(self, batches, heats):
        self.net.train()
        for heat in range(heats):
            for batch in batches:
                self.one(batch)
            self.on_heat(heat)
