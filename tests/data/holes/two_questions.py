# === a policy that an option names: where there is one, it is not the first that is asked for
import torch
from torch.optim import lr_scheduler


def get_scheduler(optimizer, options):
    if "policy" not in options or options["policy"] == "constant":
        scheduler = None
    elif options["policy"] == "step":
        scheduler = lr_scheduler.StepLR(optimizer, step_size=options["size"])
    else:
        raise NotImplementedError(options["policy"])
    return scheduler


def train(options, model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = get_scheduler(optimizer, options)
    for epoch in range(options["epochs"]):
        for x, y in loader:
            if scheduler is not None:
                scheduler.step()  # <- scheduler-before-optimizer
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
# === the same, asked the other way round
import torch


def train(options, model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = None
    if "policy" in options and options["policy"] != "constant":
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
    for epoch in range(options["epochs"]):
        for x, y in loader:
            if scheduler is not None:
                scheduler.step()  # <- scheduler-before-optimizer
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
# === a schedule that moves behind the step under the same questions
import torch


def train(options, model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = None
    if not ("policy" not in options or options["policy"] == "constant"):
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
    for epoch in range(options["epochs"]):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
        if scheduler is not None:
            scheduler.step()
# === two flags of which either alone is enough: the loss is divided in one way, and there is a window only in that
import torch


def train(args, model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    accum = args.accum if args.large or args.slow else 1
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y)
        if args.large or args.slow:
            loss = loss / accum
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
