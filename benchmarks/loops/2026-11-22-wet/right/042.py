import itertools

import torch


class Schedule:
    """Calls what was registered whenever `every` micro-batches have passed."""

    def __init__(self, every):
        self.every = every
        self.count = 0
        self.actions = []

    def register(self, *actions):
        self.actions.extend(actions)

    def tick(self):
        self.count += 1
        if self.count % self.every == 0:
            for action in self.actions:
                action()


def train(model, loader, loss_fn, every, micro_batches):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=micro_batches // every)
    on_window = Schedule(every)
    on_window.register(optimizer.step, scheduler.step, optimizer.zero_grad)
    report = Schedule(100 * every)
    report.register(lambda: print(scheduler.get_last_lr()))

    model.train()
    for x, y in itertools.islice(itertools.cycle(loader), micro_batches):
        loss = loss_fn(model(x), y) / every
        loss.backward()
        on_window.tick()
        report.tick()
    return model
