import torch


class Accumulating:
    conf: object

    def closes_window(self, done):
        return done % self.conf.accum == 0 or done == len(self.train)

    def accumulate(self, loss):
        (loss / self.conf.accum).backward()


class Validating:
    def validate(self):
        self.net.eval()
        with torch.no_grad():
            errors = [(self.net(past) - future).abs().mean().item() for past, future in self.valid]
        return sum(errors) / len(errors)
