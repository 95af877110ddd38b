def descend(opt, loss):
    opt.zero_grad()
    loss.backward()
    opt.step()


class Decay:
    def __init__(self, *schedulers):
        self.schedulers = schedulers

    def advance(self):
        for scheduler in self.schedulers:
            scheduler.step()
