import torch
from torch.nn import functional as F


class Trainer:
    def __init__(self, net, batches, callbacks):
        self.net, self.batches, self.callbacks = net, batches, callbacks
        self.optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
        self.schedule = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, 0.9)
        self.loss = None

    def tell(self, event):
        for callback in self.callbacks:
            getattr(callback, event)(self)

    def train(self, epochs):
        for _ in range(epochs):
            self.net.train()
            for acids, grade in self.batches:
                self.optimizer.zero_grad()
                self.loss = F.cross_entropy(self.net(acids), grade)
                self.loss.backward()
                self.tell("gradients_ready")
                self.optimizer.step()
                self.tell("stepped")
            self.tell("epoch_over")
