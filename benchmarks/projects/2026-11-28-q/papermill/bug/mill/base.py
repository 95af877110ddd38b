from torch.nn import functional as F


class Mill:
    def __init__(self, net, optimizer, fold):
        self.net, self.optimizer, self.fold = net, optimizer, fold

    def after_backward(self):
        pass

    def before_update(self):
        pass

    def after_update(self):
        pass

    def thread(self):
        pass

    def full(self):
        return True

    def roll(self, sheets):
        self.thread()
        total = 0.0
        for i, (pulp, weight) in enumerate(sheets):
            loss = F.huber_loss(self.net(pulp), weight)
            (loss / self.fold).backward()
            self.after_backward()
            total += loss.item()
            if self.full() or i + 1 == len(sheets):
                self.before_update()
                self.optimizer.step()
                self.after_update()
        return total / len(sheets)
