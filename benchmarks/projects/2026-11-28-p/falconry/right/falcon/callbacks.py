from torch.nn.utils import clip_grad_norm_


class Callback:
    def after_backward(self, loop):
        pass

    def before_update(self, loop):
        pass

    def after_update(self, loop):
        pass

    def batch_end(self, loop):
        pass


class ClipGradients(Callback):
    def __init__(self, max_norm):
        self.max_norm = max_norm

    def before_update(self, loop):
        clip_grad_norm_(loop.net.parameters(), self.max_norm)


class Warmup(Callback):
    def __init__(self, schedule):
        self.schedule = schedule

    def after_update(self, loop):
        self.schedule.step()


class Progress(Callback):
    def __init__(self):
        self.seen = 0

    def batch_end(self, loop):
        self.seen += 1
