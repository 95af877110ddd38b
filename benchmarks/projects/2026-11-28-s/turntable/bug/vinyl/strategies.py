class Strategy:
    def __init__(self, net, share):
        self.net, self.share = net, share

    def run(self, groove, level, final):
        raise NotImplementedError


class Spread(Strategy):
    """Several ranks: reduce with the last micro-batch of a window only."""

    def run(self, groove, level, final):
        if final:
            return self._pass(groove, level)
        with self.net.no_sync():
            return self._pass(groove, level)

    def _pass(self, groove, level):
        loss = self.net.module.loss(groove, level)
        (loss * self.share).backward()
        return loss.item()
