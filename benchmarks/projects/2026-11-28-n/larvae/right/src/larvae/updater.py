import torch


class Updater:
    def __init__(self, net, settings, average=False):
        self.net, self.window = net, settings.window
        self.limit, self.average = settings.limit, average
        self.optimizer = torch.optim.SGD(net.parameters(), lr=settings.rate, momentum=0.9)

    def bound(self):
        return torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.limit)

    def apply(self):
        if self.average:
            for p in self.net.parameters():
                p.grad.div_(self.window)
        norm = self.bound()
        self.optimizer.step()
        self.optimizer.zero_grad()
        return norm
