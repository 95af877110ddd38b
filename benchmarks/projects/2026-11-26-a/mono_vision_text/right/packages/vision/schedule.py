from torch.optim.lr_scheduler import StepLR


def build(optimizer, every=1, gamma=0.5):
    return StepLR(optimizer, step_size=every, gamma=gamma)


def tick(scheduler):
    scheduler.step()
