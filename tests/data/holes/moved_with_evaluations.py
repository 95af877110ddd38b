# === right: a schedule that moves with an evaluation, once in so many windows
import torch


def train(net, loader, held_out, settings):
    optimizer = torch.optim.Adam(net.parameters())
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=settings["horizon"])
    accum = settings["accum"]
    for i, x in enumerate(loader):
        if (i + 1) % (settings["interval"] * accum) == 0:
            net.eval()
            with torch.no_grad():
                print(sum(float(net(y).mean()) for y in held_out))
            schedule.step()
            net.train()
        (net(x).mean() / accum).backward()
        if (i + 1) % accum == 0:
            optimizer.step()
            optimizer.zero_grad()
# === right: the same, behind the step
import torch


def train(net, loader, settings):
    optimizer = torch.optim.Adam(net.parameters())
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=settings["horizon"])
    accum = settings["accum"]
    for i, x in enumerate(loader):
        (net(x).mean() / accum).backward()
        if (i + 1) % accum == 0:
            optimizer.step()
            optimizer.zero_grad()
        if (i + 1) % (settings["interval"] * accum) == 0:
            schedule.step()
# === it moves with each window, ahead of the step
import torch


def train(net, loader, settings):
    optimizer = torch.optim.Adam(net.parameters())
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=settings["horizon"])
    accum = settings["accum"]
    for i, x in enumerate(loader):
        if (i + 1) % accum == 0:
            schedule.step()  # <- scheduler-before-optimizer
        (net(x).mean() / accum).backward()
        if (i + 1) % accum == 0:
            optimizer.step()
            optimizer.zero_grad()
# === right: a schedule that takes over from another in some epoch
import torch


def train(net, loader, epochs, swa_start):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    averaged = torch.optim.swa_utils.AveragedModel(net)
    usual = torch.optim.lr_scheduler.StepLR(optimizer, 1000)
    schedule = torch.optim.swa_utils.SWALR(optimizer, swa_lr=0.05)
    for epoch in range(epochs):
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            if epoch >= int(swa_start):
                averaged.update_parameters(net)
                schedule.step()
            optimizer.step()
            usual.step()
# === it moves in the first epoch, too
import torch


def train(net, loader, epochs):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 10)
    for epoch in range(epochs):
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            if epoch >= 0:
                schedule.step()  # <- scheduler-before-optimizer
            optimizer.step()
