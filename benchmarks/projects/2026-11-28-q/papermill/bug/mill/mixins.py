from torch.nn.utils import clip_grad_value_


class Counting:
    sheets = 0

    def thread(self):
        super().thread()
        self.sheets = 0

    def after_backward(self):
        super().after_backward()
        self.sheets += 1

    def full(self):
        return (self.sheets + 1) % self.fold == 0


class Clipping:
    limit = 1.0

    def after_backward(self):
        super().after_backward()
        clip_grad_value_(self.net.parameters(), self.limit)


class Clearing:
    def after_update(self):
        super().after_update()
        self.optimizer.zero_grad()
