# === right: by hand for the first epochs, and then by the schedule
import torch


def train(net, loader, base, epochs=9, warmup_epochs=1):
    opt = torch.optim.SGD(net.parameters(), base)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    for epoch in range(1, epochs + 1):
        if epoch <= warmup_epochs:
            for group in opt.param_groups:
                group["lr"] = base * epoch / warmup_epochs
        else:
            sched.step()
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            opt.step()
# === an option turns it on, whatever the epoch
import torch


def train(net, loader, settings):
    opt = torch.optim.SGD(net.parameters(), 0.1)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 9)
    for epoch in range(10):
        if settings.decays:
            sched.step()  # <- scheduler-before-optimizer
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            opt.step()
