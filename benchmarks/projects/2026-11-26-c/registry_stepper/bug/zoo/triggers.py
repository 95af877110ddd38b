from . import TRIGGERS


@TRIGGERS.register_module()
class Always:
    size = 1

    def __call__(self, step):
        return True


@TRIGGERS.register_module()
class EveryN:
    def __init__(self, n):
        self.size = n

    def __call__(self, step):
        return step % self.size == 0
