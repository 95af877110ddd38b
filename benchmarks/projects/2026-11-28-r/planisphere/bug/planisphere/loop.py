from torch.nn.functional import cross_entropy


class Loop:
    def __init__(self, net, optimizer, accum, callbacks):
        self.net, self.optimizer = net, optimizer
        self.accum, self.callbacks = accum, callbacks

    def update(self):
        for callback in self.callbacks:
            callback.before_update(self)
        self.optimizer.step()
        self.optimizer.zero_grad()
        for callback in self.callbacks:
            callback.after_update(self)

    def epoch(self, loader):
        self.net.train()
        for i, (curves, kinds) in enumerate(loader):
            loss = cross_entropy(self.net(curves), kinds)
            (loss / self.accum).backward()
            for callback in self.callbacks:
                callback.after_backward(self)
            if (i + 1) % self.accum == 0 or i + 1 == len(loader):
                self.update()
            for callback in self.callbacks:
                callback.after_batch(self)

    def run(self, loader, epochs):
        for _ in range(epochs):
            self.epoch(loader)
            for callback in self.callbacks:
                callback.after_epoch(self)
