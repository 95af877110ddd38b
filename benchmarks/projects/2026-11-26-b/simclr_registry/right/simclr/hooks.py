from .registry import Registry

HOOKS = Registry()


class Hook:
    def __init__(self, scheduler):
        self.scheduler = scheduler

    def before_step(self, loss):
        pass

    def after_step(self):
        pass


@HOOKS.register("lr")
class LearningRate(Hook):
    def after_step(self):
        self.scheduler.step()


@HOOKS.register("log")
class Log(Hook):
    def __init__(self, scheduler):
        super().__init__(scheduler)
        self.history = []

    def before_step(self, loss):
        self.history.append(loss.item())
