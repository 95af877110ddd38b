import torch

from .learner import CancelStepException

EVENTS = ("before_fit before_epoch before_train before_batch after_loss before_step after_step "
          "after_batch after_train before_validate after_validate after_epoch after_fit").split()


class Callback:
    order = 0
    learn = None


def _noop(self):
    pass


for _name in EVENTS:
    setattr(Callback, _name, _noop)


class GradientAccumulation(Callback):
    "Step only once every `n_acc` batches"
    order = 10

    def __init__(self, n_acc=4):
        self.n_acc = n_acc

    def after_loss(self):
        if self.learn.training:
            self.learn.loss = self.learn.loss / self.n_acc

    def before_step(self):
        done = self.learn.iter + 1
        if done % self.n_acc and done < self.learn.n_iter:
            raise CancelStepException()


class OneCycle(Callback):
    def __init__(self, max_lr, n_acc=1):
        self.max_lr, self.n_acc = max_lr, n_acc

    def before_fit(self):
        per_epoch = -(-len(self.learn.dls.train) // self.n_acc)
        self.sched = torch.optim.lr_scheduler.OneCycleLR(
            self.learn.opt, self.max_lr, total_steps=per_epoch * self.learn.n_epoch)

    def after_step(self):
        self.sched.step()


class Recorder(Callback):
    order = 50

    def before_fit(self):
        self.losses, self.values = [], []

    def before_validate(self):
        self.correct, self.total = 0, 0

    def after_batch(self):
        learn = self.learn
        if learn.training:
            self.losses.append(learn.loss)
        else:
            self.correct += (learn.pred.argmax(1) == learn.yb).sum().item()
            self.total += len(learn.yb)

    def after_epoch(self):
        smooth = torch.stack(self.losses[-self.learn.n_iter:]).mean().item()
        acc = self.correct / self.total
        self.values.append((smooth, acc))
        print(f"epoch {self.learn.epoch} loss {smooth:.4f} acc {acc:.3f}")
