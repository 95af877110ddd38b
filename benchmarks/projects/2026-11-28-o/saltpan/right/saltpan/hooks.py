from torch.optim.lr_scheduler import ExponentialLR


class Hook:
    def on_epoch_begin(self, epoch):
        pass

    def on_epoch_end(self, epoch, loss):
        pass


class DecayRate(Hook):
    def __init__(self, optimizer, gamma):
        self.schedule = ExponentialLR(optimizer, gamma=gamma)

    def on_epoch_end(self, epoch, loss):
        self.schedule.step()


class PrintLoss(Hook):
    def on_epoch_end(self, epoch, loss):
        print(epoch, round(loss, 5))
