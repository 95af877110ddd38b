from torch.nn.functional import l1_loss


class ToneMonitor:
    def __init__(self, loader):
        self.loader = loader

    def after_epoch(self, model, epoch):
        model.eval()
        error = 0.0
        for strike, partials in self.loader:
            error += l1_loss(model.module(strike), partials).item()
        print(epoch, f"{error / len(self.loader):.4f}")
