# === callbacks are looked up by name, and one clears before each batch
import torch


class Callback:
    def before_batch(self, learner): ...

    def after_batch(self, learner): ...


class ZeroGrad(Callback):
    def before_batch(self, learner):
        learner.opt.zero_grad()


class Step(Callback):
    def after_batch(self, learner):
        (learner.loss / learner.accumulate).backward()
        if learner.count % learner.accumulate == 0:
            learner.opt.step()


class Learner:
    def __init__(self, model, loss_fn, callbacks, accumulate):
        self.model, self.loss_fn = model, loss_fn
        self.opt = torch.optim.Adam(model.parameters())
        self.callbacks = list(callbacks)
        self.accumulate = accumulate
        self.count = 0

    def fire(self, event):
        for callback in self.callbacks:
            getattr(callback, event)(self)

    def fit(self, loader):
        for x, y in loader:
            self.fire("before_batch")  # <- zero-grad-in-accumulation
            self.loss = self.loss_fn(self.model(x), y)
            self.count += 1
            self.fire("after_batch")


def train(model, loss_fn, loader):
    Learner(model, loss_fn, [ZeroGrad(), Step()], accumulate=4).fit(loader)
# === hooks in a loop are no batches, and the factor is only logged
import torch


class Cumulative:
    def __init__(self, every):
        self.every = every

    def factor(self):
        return self.every

    def after_iter(self, runner):
        runner.logged = runner.loss.item() / self.factor()
        runner.loss.backward()  # <- unscaled-accumulation-loss
        if (runner.iter + 1) % self.every == 0:
            runner.optimizer.step()
            runner.optimizer.zero_grad()


class Runner:
    def __init__(self, model, most):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.most = most
        self.iter = 0
        self.hooks = []

    def run(self, batches):
        while self.iter < self.most:
            self.loss = self.model(next(batches)).mean()
            for hook in self.hooks:
                hook.after_iter(self)
            self.iter += 1


def finetune(model, batches):
    runner = Runner(model, 20000)
    runner.hooks.append(Cumulative(4))
    runner.run(batches)
# === right: the callback clears behind its step
import torch


class Callback:
    def before_batch(self, learner): ...

    def after_batch(self, learner): ...


class Step(Callback):
    def after_batch(self, learner):
        (learner.loss / learner.accumulate).backward()
        if learner.count % learner.accumulate == 0:
            learner.opt.step()
            learner.opt.zero_grad()


class Learner:
    def __init__(self, model, loss_fn, callbacks, accumulate):
        self.model, self.loss_fn = model, loss_fn
        self.opt = torch.optim.Adam(model.parameters())
        self.callbacks = list(callbacks)
        self.accumulate = accumulate
        self.count = 0

    def fire(self, event):
        for callback in self.callbacks:
            getattr(callback, event)(self)

    def fit(self, loader):
        for x, y in loader:
            self.fire("before_batch")
            self.loss = self.loss_fn(self.model(x), y)
            self.count += 1
            self.fire("after_batch")


def train(model, loss_fn, stream):
    Learner(model, loss_fn, [Step()], accumulate=4).fit(stream)
# === right: hooks in a loop, and the factor divides
import torch


class Cumulative:
    def __init__(self, every):
        self.every = every

    def factor(self):
        return self.every

    def after_iter(self, runner):
        (runner.loss / self.factor()).backward()
        if (runner.iter + 1) % self.every == 0:
            runner.optimizer.step()
            runner.optimizer.zero_grad()


class Runner:
    def __init__(self, model, most):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.most = most
        self.iter = 0
        self.hooks = []

    def run(self, batches):
        while self.iter < self.most:
            self.loss = self.model(next(batches)).mean()
            for hook in self.hooks:
                hook.after_iter(self)
            self.iter += 1


def finetune(model, batches):
    runner = Runner(model, 20000)
    runner.hooks.append(Cumulative(4))
    runner.run(batches)
