from torch.nn import functional as F


class Loop:
    def __init__(self, net, optimizer, share, callbacks, window):
        self.net, self.optimizer = net, optimizer
        self.share, self.callbacks, self.window = share, callbacks, window
        self.seen = self.updates = 0
        self.last_loss = 0.0

    def tell(self, event):
        for callback in self.callbacks:
            getattr(callback, event)(self)

    def run(self, data, tides):
        self.optimizer.zero_grad()
        for _ in range(tides):
            for i, (salt, depth) in enumerate(data, start=1):
                loss = F.l1_loss(self.net(salt), depth)
                self.share(loss, self.window).backward()
                self.last_loss = loss.item()
                self.seen += 1
                if i % self.window == 0 or i == len(data):
                    self.optimizer.step()
                    self.updates += 1
                    self.tell("on_update")
                    self.optimizer.zero_grad()
                self.tell("on_batch")
            self.tell("on_tide")
