# === right: each batch steps, and the average moves with what is called like a window
import torch


def train(model, loader, args, ema):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        opt.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        opt.step()
        if (i + 1) % args.update_freq == 0:
            ema.update(model)

# === what is a period on one way is the window on another
import torch


def train(model, loader, args, ema):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()  # <- unscaled-accumulation-loss
        if args.plain:
            opt.step()
            opt.zero_grad()
            if (i + 1) % args.update_freq == 0:
                ema.update(model)
        elif (i + 1) % args.update_freq == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()

# === right: the same, and divided where it is one
import torch


def train(model, loader, args, ema):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y)
        if args.plain:
            loss.backward()
            opt.step()
            opt.zero_grad()
            if (i + 1) % args.update_freq == 0:
                ema.update(model)
        else:
            (loss / args.update_freq).backward()
            if (i + 1) % args.update_freq == 0 or i + 1 == len(loader):
                opt.step()
                opt.zero_grad()
