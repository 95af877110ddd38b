from torch.nn.utils import clip_grad_norm_

from dyeworks.factory import build_optimizer, build_schedule
from dyeworks.objective import objective


def run(model, loader, settings):
    optimizer, params = build_optimizer(model, settings)
    schedule = build_schedule(optimizer, settings, len(loader))
    rates = []
    for _ in range(settings.epochs):
        model.train()
        for n, (recipe, colour) in enumerate(loader, start=1):
            loss = objective(model, recipe, colour, settings)
            loss.backward()
            if n % settings.window == 0 or n == len(loader):
                clip_grad_norm_(params, settings.limit)
                optimizer.step()
                schedule.step()
                optimizer.zero_grad()
        rates.append(schedule.get_last_lr()[0])
    return rates
