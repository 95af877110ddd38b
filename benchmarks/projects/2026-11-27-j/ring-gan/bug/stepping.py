def descend(opt, loss):
    loss.backward()
    opt.step()
    opt.zero_grad()


class Decay:
    def __init__(self, *schedulers):
        self.schedulers = schedulers

    def advance(self):
        for scheduler in self.schedulers:
            scheduler.step()
