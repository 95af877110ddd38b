from contextlib import contextmanager

import torch


class WeightAverage:
    def __init__(self, net, decay):
        self.decay = decay
        self.average = [p.detach().clone() for p in net.parameters()]

    @torch.no_grad()
    def follow(self, net):
        for mean, p in zip(self.average, net.parameters()):
            mean.lerp_(p, 1 - self.decay)

    @contextmanager
    def applied(self, net):
        """The network with averaged weights, and afterwards as it was."""
        training = net.training
        live = [p.detach().clone() for p in net.parameters()]
        with torch.no_grad():
            for p, mean in zip(net.parameters(), self.average):
                p.copy_(mean)
            yield net
            for p, old in zip(net.parameters(), live):
                p.copy_(old)
        net.train(training)
