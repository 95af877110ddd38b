from abc import ABC, abstractmethod


class Agent(ABC):
    def __init__(self, net, optimizer):
        self.net, self.optimizer = net, optimizer

    @abstractmethod
    def loss(self, batch): ...

    def before_backward(self):
        pass

    def after_backward(self):
        pass

    def learn(self, batch):
        loss = self.loss(batch)
        self.optimizer.zero_grad()
        self.before_backward()
        loss.backward()
        self.after_backward()
        self.optimizer.step()
        return loss.item()
