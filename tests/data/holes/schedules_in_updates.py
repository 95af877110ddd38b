# === right: nothing says what a number counts
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import CosineAnnealingLR


def train(model, loader, optimizer, accum, total_steps):
    schedule = CosineAnnealingLR(optimizer, T_max=total_steps)
    for i, (x, y) in enumerate(loader, 1):
        (mse_loss(model(x), y) / accum).backward()
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        schedule.step()
# === its name says that it counts updates
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import CosineAnnealingLR


def train(model, loader, optimizer, accum, total_updates):
    schedule = CosineAnnealingLR(optimizer, T_max=total_updates)
    for i, (x, y) in enumerate(loader, 1):
        (mse_loss(model(x), y) / accum).backward()
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        schedule.step()  # <- scheduler-per-micro-batch
# === right: a factor for each move
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import ExponentialLR


def train(model, loader, optimizer, accum):
    schedule = ExponentialLR(optimizer, 0.999)
    for i, (x, y) in enumerate(loader, 1):
        (mse_loss(model(x), y) / accum).backward()
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        schedule.step()
# === a factor for each update
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import ExponentialLR


def train(model, loader, optimizer, accum, max_update):
    schedule = ExponentialLR(optimizer, 0.01 ** (1 / max_update))
    for i, (x, y) in enumerate(loader, 1):
        (mse_loss(model(x), y) / accum).backward()
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        schedule.step()  # <- scheduler-per-micro-batch
# === right: steps that are divided by a batch, but by no window
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import CosineAnnealingLR


def train(model, loader, optimizer, accum, samples, batch_size):
    schedule = CosineAnnealingLR(optimizer, T_max=samples // batch_size)
    for i, (x, y) in enumerate(loader, 1):
        (mse_loss(model(x), y) / accum).backward()
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        schedule.step()
# === samples are divided by the batch times the window
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import CosineAnnealingLR


def train(model, loader, optimizer, accum, samples, batch_size):
    total = samples // (batch_size * accum)
    schedule = CosineAnnealingLR(optimizer, T_max=total)
    for i, (x, y) in enumerate(loader, 1):
        (mse_loss(model(x), y) / accum).backward()
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        schedule.step()  # <- scheduler-per-micro-batch
# === right: a helper that divides by the batch
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import CosineAnnealingLR


def moves(samples, batch_size):
    return samples // batch_size


def train(model, loader, optimizer, accum, samples, batch_size):
    schedule = CosineAnnealingLR(optimizer, T_max=moves(samples, batch_size))
    for i, (x, y) in enumerate(loader, 1):
        (mse_loss(model(x), y) / accum).backward()
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        schedule.step()
# === a helper that divides by the window
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import CosineAnnealingLR


def moves(loader, accum):
    return len(loader) // accum


def train(model, loader, optimizer, accum):
    schedule = CosineAnnealingLR(optimizer, T_max=moves(loader, accum))
    for i, (x, y) in enumerate(loader, 1):
        (mse_loss(model(x), y) / accum).backward()
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        schedule.step()  # <- scheduler-per-micro-batch
# === right: a number that is divided in place by something else
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import LinearLR


def train(model, loader, optimizer, accum, samples):
    total = samples
    total //= 2
    schedule = LinearLR(optimizer, total_iters=total)
    for i, (x, y) in enumerate(loader, 1):
        (mse_loss(model(x), y) / accum).backward()
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        schedule.step()
# === a number that is divided in place by the window
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import LinearLR


def train(model, loader, optimizer, n, samples):
    total = samples
    total //= n
    schedule = LinearLR(optimizer, total_iters=total)
    for i, (x, y) in enumerate(loader, 1):
        (mse_loss(model(x), y) / n).backward()
        if i % n == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        schedule.step()  # <- scheduler-per-micro-batch
# === right: a nested function warms up over so many moves
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import LambdaLR


def train(model, loader, optimizer, accum, warmup):
    def rate(move):
        return min(1.0, (move + 1) / warmup)

    schedule = LambdaLR(optimizer, rate)
    for i, (x, y) in enumerate(loader, 1):
        (mse_loss(model(x), y) / accum).backward()
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        schedule.step()
# === a nested function warms up over so many updates
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import LambdaLR


def train(model, loader, optimizer, accum, warmup_updates):
    def rate(move):
        return min(1.0, (move + 1) / warmup_updates)

    schedule = LambdaLR(optimizer, rate)
    for i, (x, y) in enumerate(loader, 1):
        (mse_loss(model(x), y) / accum).backward()
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        schedule.step()  # <- scheduler-per-micro-batch
# === right: lambdas in a list, over so many moves
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import LambdaLR


def train(model, loader, optimizer, accum, total):
    schedule = LambdaLR(optimizer, [lambda move: 1 / (1 + move / total)])
    for i, (x, y) in enumerate(loader, 1):
        (mse_loss(model(x), y) / accum).backward()
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        schedule.step()
# === lambdas in a list, over so many updates
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import LambdaLR


def train(model, loader, optimizer, accum, updates):
    schedule = LambdaLR(optimizer, [lambda move: 1 / (1 + move / updates)])
    for i, (x, y) in enumerate(loader, 1):
        (mse_loss(model(x), y) / accum).backward()
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        schedule.step()  # <- scheduler-per-micro-batch
# === right: a setting by key counts steps
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import StepLR


def train(model, loader, optimizer, accum, cfg):
    schedule = StepLR(optimizer, cfg["decay_steps"])
    for i, (x, y) in enumerate(loader, 1):
        (mse_loss(model(x), y) / accum).backward()
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        schedule.step()
# === a setting by key counts steps of the optimizer
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import StepLR


def train(model, loader, optimizer, accum, cfg):
    schedule = StepLR(optimizer, cfg["optimizer_steps"])
    for i, (x, y) in enumerate(loader, 1):
        (mse_loss(model(x), y) / accum).backward()
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        schedule.step()  # <- scheduler-per-micro-batch
# === right: a setting says when the rate is changed, and not in what
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import StepLR


def train(model, loader, optimizer, accum, cfg):
    schedule = StepLR(optimizer, cfg.lr_update_steps)
    for i, (x, y) in enumerate(loader, 1):
        (mse_loss(model(x), y) / accum).backward()
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        schedule.step()
# === updates of each epoch, which are no windows
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import CosineAnnealingLR


def train(model, loader, optimizer, accum, num_update_steps_per_epoch):
    schedule = CosineAnnealingLR(optimizer, T_max=9 * num_update_steps_per_epoch)
    for i, (x, y) in enumerate(loader, 1):
        (mse_loss(model(x), y) / accum).backward()
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        schedule.step()  # <- scheduler-per-micro-batch
# === right: micro-batches of an update, as many as were counted
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import CosineAnnealingLR


def train(model, loader, optimizer, accum, steps_per_update):
    schedule = CosineAnnealingLR(optimizer, T_max=9 * steps_per_update)
    for i, (x, y) in enumerate(loader, 1):
        (mse_loss(model(x), y) / accum).backward()
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        schedule.step()
# === right: the rate of the optimizer is divided by the window, the schedule is not
import torch
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import ExponentialLR


def train(model, loader, accum, rate):
    optimizer = torch.optim.SGD(model.parameters(), lr=rate / accum)
    schedule = ExponentialLR(optimizer, 0.999)
    for i, (x, y) in enumerate(loader, 1):
        (mse_loss(model(x), y) / accum).backward()
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        schedule.step()
# === right: a schedule within others counts moves
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR, SequentialLR


def train(model, loader, optimizer, accum, warmup, total):
    warm = LinearLR(optimizer, total_iters=warmup)
    rest = CosineAnnealingLR(optimizer, T_max=total)
    schedule = SequentialLR(optimizer, [warm, rest], milestones=[warmup])
    for i, (x, y) in enumerate(loader, 1):
        (mse_loss(model(x), y) / accum).backward()
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        schedule.step()
# === a schedule within others counts updates
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR, SequentialLR


def train(model, loader, optimizer, accum, warmup, updates):
    warm = LinearLR(optimizer, total_iters=warmup)
    rest = CosineAnnealingLR(optimizer, T_max=updates)
    schedule = SequentialLR(optimizer, [warm, rest], milestones=[warmup])
    for i, (x, y) in enumerate(loader, 1):
        (mse_loss(model(x), y) / accum).backward()
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        schedule.step()  # <- scheduler-per-micro-batch
# === right: it moves with the update, behind a loop over its micro-batches
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import ExponentialLR


def train(model, windows, optimizer):
    schedule = ExponentialLR(optimizer, 0.999)
    for window in windows:
        for x, y in window:
            (mse_loss(model(x), y) / len(window)).backward()
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
# === it moves in the loop over the micro-batches of one update, whatever it counts
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import ExponentialLR


def train(model, windows, optimizer):
    schedule = ExponentialLR(optimizer, 0.999)
    for window in windows:
        for x, y in window:
            (mse_loss(model(x), y) / len(window)).backward()
            schedule.step()  # <- scheduler-per-micro-batch
        optimizer.step()
        optimizer.zero_grad()
