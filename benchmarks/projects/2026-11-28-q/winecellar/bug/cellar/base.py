import torch


class Grower:
    """Seasons of micro-batches; what a micro-batch is, the subclasses say."""

    def __init__(self, net, opt, window):
        self.net, self.opt, self.window = net, opt, window

    def open_micro(self, n):
        pass

    def loss_of(self, batch):
        raise NotImplementedError

    def season(self, rows):
        for n, batch in enumerate(rows, 1):
            self.open_micro(n)
            (self.loss_of(batch) / self.window).backward()
            if n % self.window == 0 or n == len(rows):
                self.opt.step()

    def taste(self, rows):
        self.net.eval()
        with torch.no_grad():
            return sum(self.loss_of(batch).item() for batch in rows) / len(rows)
