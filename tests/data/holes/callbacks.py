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
# === right: hooks in the order of their priority
import torch
from torch import nn


class StepHook:
    priority = 50

    def after_iter(self, runner):
        runner.optimizer.step()
        runner.optimizer.zero_grad()


class ClipHook:
    priority = 40

    def after_iter(self, runner):
        nn.utils.clip_grad_norm_(runner.model.parameters(), 35.0)


class Runner:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.hooks = []

    def register(self, *hooks):
        self.hooks = sorted([*self.hooks, *hooks], key=lambda hook: hook.priority)

    def call(self, name):
        for hook in self.hooks:
            getattr(hook, name)(self)

    def run(self, loader):
        for x, y in loader:
            nn.functional.mse_loss(self.model(x), y).backward()
            self.call("after_iter")


def main(model, loader):
    runner = Runner(model)
    runner.register(StepHook(), ClipHook())
    runner.run(loader)
# === a callback that answers to every event clears too early
import torch


class Quiet:
    def __getattr__(self, name):
        if not name.startswith("on_"):
            raise AttributeError(name)
        return lambda loop: None


class Clear(Quiet):
    def on_backward_end(self, loop):
        loop.optimizer.zero_grad()


class Shout(Quiet):
    def on_step_end(self, loop):
        print(loop.loss.item())


class Loop:
    def __init__(self, model, callbacks):
        self.model, self.callbacks = model, callbacks
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def tell(self, event):
        for callback in self.callbacks:
            getattr(callback, event)(self)

    def fit(self, loader):
        for x, y in loader:
            self.loss = torch.nn.functional.mse_loss(self.model(x), y)
            self.loss.backward()
            self.tell("on_backward_end")  # <- zero-grad-before-step
            self.optimizer.step()
            self.tell("on_step_end")


def main(model, loader):
    Loop(model, [Shout(), Clear()]).fit(loader)
# === a callback that answers to every event clears behind the step
import torch


class Quiet:
    def __getattr__(self, name):
        if not name.startswith("on_"):
            raise AttributeError(name)
        return lambda loop: None


class Clear(Quiet):
    def on_step_end(self, loop):
        loop.optimizer.zero_grad()


class Shout(Quiet):
    def on_backward_end(self, loop):
        print(loop.loss.item())


class Loop:
    def __init__(self, model, callbacks):
        self.model, self.callbacks = model, callbacks
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def tell(self, event):
        for callback in self.callbacks:
            getattr(callback, event)(self)

    def fit(self, loader):
        for x, y in loader:
            self.loss = torch.nn.functional.mse_loss(self.model(x), y)
            self.loss.backward()
            self.tell("on_backward_end")
            self.optimizer.step()
            self.tell("on_step_end")


def main(model, loader):
    Loop(model, [Shout(), Clear()]).fit(loader)
