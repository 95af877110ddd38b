from torch import optim
from torch.optim.lr_scheduler import LambdaLR

OPTIMIZERS, SCHEDULES = {}, {}


def optimizer(name):
    return lambda make: OPTIMIZERS.setdefault(name, make)


def schedule(name, moves):
    return lambda make: SCHEDULES.setdefault(name, (make, moves))


@optimizer("adamw")
def adamw(weights, preset):
    return optim.AdamW(weights, lr=preset.rate)


@optimizer("sgd")
def sgd(weights, preset):
    return optim.SGD(weights, lr=preset.rate, momentum=0.9)


@schedule("flat", moves="epoch")
def flat(opt, preset):
    return LambdaLR(opt, lambda _: 1.0)


@schedule("inverse_sqrt", moves="batch")
def inverse_sqrt(opt, preset):
    return LambdaLR(opt, lambda n: min((n + 1) / preset.warmup, (preset.warmup / (n + 1)) ** 0.5))


def build(weights, preset):
    opt = OPTIMIZERS[preset.optimizer](weights, preset)
    make, moves = SCHEDULES[preset.schedule]
    return opt, make(opt, preset), moves
