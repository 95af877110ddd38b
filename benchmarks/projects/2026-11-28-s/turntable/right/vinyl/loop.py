class Player:
    def __init__(self, strategy, optimizer, window):
        self.strategy, self.optimizer, self.window = strategy, optimizer, window

    def cue(self, loader, side):
        loader.sampler.set_epoch(side)

    def play(self, loader):
        heard, count = 0.0, len(loader)
        self.strategy.net.train()
        for i, (groove, level) in enumerate(loader):
            final = i % self.window == self.window - 1 or i == count - 1
            heard += self.strategy.run(groove, level, final)
            if final:
                self.optimizer.step()
                self.optimizer.zero_grad()
        return heard / count
