from torch.nn.utils import clip_grad_norm_

from crane.meters import Average


class Callback:
    def after_backward(self, learner):
        """Behind the backward of each micro-batch."""

    def before_step(self, learner):
        """Once for each update, with all gradients there."""

    def after_loss(self, learner, loss):
        pass

    def after_epoch(self, learner):
        pass


class CallbackList(Callback):
    def __init__(self, callbacks):
        self.callbacks = callbacks

    def after_backward(self, learner):
        for callback in self.callbacks:
            callback.after_backward(learner)

    def before_step(self, learner):
        for callback in self.callbacks:
            callback.before_step(learner)

    def after_loss(self, learner, loss):
        for callback in self.callbacks:
            callback.after_loss(learner, loss)

    def after_epoch(self, learner):
        for callback in self.callbacks:
            callback.after_epoch(learner)


class ClipGradients(Callback):
    def __init__(self, net, limit):
        self.net, self.limit = net, limit

    def after_backward(self, learner):
        clip_grad_norm_(self.net.parameters(), self.limit)


class Progress(Callback):
    def __init__(self):
        self.average = Average()

    def after_loss(self, learner, loss):
        self.average.add(loss)

    def after_epoch(self, learner):
        print(f"mean loss {float(self.average.value()):.4f}")
