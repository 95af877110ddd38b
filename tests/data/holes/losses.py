# === square and mean
import torch


def train(model, loader, optimizer, accum):
    for i, (x, y) in enumerate(loader):
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === mask and mean
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum):
    for i, (x, y, mask) in enumerate(loader):
        loss = (F.l1_loss(model(x), y, reduction="none") * mask).mean()
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === selected by a mask, squared by a product
import torch


def train(model, loader, optimizer):
    for i, (x, y) in enumerate(loader):
        valid = y >= 0
        delta = (model(x) - y)[valid]
        loss = (delta * delta).mean()
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % 8 == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === weights per sample, torch.mean of a power
import torch


def train(net, batches, opt, accum_steps):
    for step, (x, y, weight) in enumerate(batches, 1):
        error = torch.pow(net(x) - y, 2)
        loss = torch.mean(weight * error)
        loss.backward()  # <- unscaled-accumulation-loss
        if step % accum_steps == 0 or step == len(batches):
            opt.step()
            opt.zero_grad()
# === absolute value times a coefficient, method chain
import torch


def train(net, batches, opt, accum_steps):
    for step, (x, y) in enumerate(batches, 1):
        out = net(x)
        loss = (out - y).abs().mul(10.0).mean() + 0.1 * out.pow(2).mean()
        loss.backward()  # <- unscaled-accumulation-loss
        if step % accum_steps == 0 or step == len(batches):
            opt.step()
            opt.zero_grad()
# === policy gradient, product with an advantage
import torch


def train(policy, rollouts, optimizer, accum):
    for i, (states, actions, advantage) in enumerate(rollouts):
        log_prob = policy(states).log_softmax(-1).gather(1, actions)
        loss = -(log_prob * advantage.detach()).mean()
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(rollouts):
            optimizer.step()
            optimizer.zero_grad()
# === right: square and mean, divided
import torch


def train(model, loader, optimizer, accum):
    for i, (x, y) in enumerate(loader):
        loss = ((model(x) - y) ** 2).mean() / accum
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: mask and mean, divided later
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum):
    for i, (x, y, mask) in enumerate(loader):
        loss = (F.l1_loss(model(x), y, reduction="none") * mask).mean()
        loss = loss / accum
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: the weight holds the share
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum, tokens):
    for i, (x, y, mask) in enumerate(loader):
        loss = (F.cross_entropy(model(x), y, reduction="none") * mask).sum() / tokens
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: the mask is divided by the window
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum):
    for i, (x, y, mask) in enumerate(loader):
        weight = mask / accum
        loss = (F.l1_loss(model(x), y, reduction="none") * weight).mean()
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: squared under a window's scale
import torch


def train(model, loader, optimizer, accum):
    share = 1.0 / accum
    for i, (x, y) in enumerate(loader):
        loss = share * ((model(x) - y) ** 2).mean()
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === errors of two heads, squared and weighed by a mask that is computed
import torch


def train(model, loader, optimizer, accum):
    for i, (x, y) in enumerate(loader):
        first, second = model(x)
        mask = (y > 0).float()
        loss = (mask * (first - y) ** 2).mean() + (mask * (second - y) ** 2).mean()
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: a share of the window is given to the loss
import torch


def train(model, loader, optimizer, accum, share_of):
    for i, (x, y) in enumerate(loader):
        share = share_of(i, accum)
        loss = (share * (model(x) - y) ** 2).mean()
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: a coefficient that may be the share
import torch


def train(model, loader, optimizer, accum, coef):
    for i, (x, y) in enumerate(loader):
        loss = coef * ((model(x) - y) ** 2).mean()
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: a share that changes with the batch
import torch


def train(model, loader, optimizer, accum):
    for i, (x, y, share) in enumerate(loader):
        loss = ((model(x) - y) ** 2).mean() * share
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: divided inside the power
import torch


def train(model, loader, optimizer, accum):
    for i, (x, y) in enumerate(loader):
        loss = (((model(x) - y) / accum) ** 2).mean()
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: terms with weights that nobody knows
import torch


def train(model, loader, optimizer, accum, weights):
    for i, (x, y) in enumerate(loader):
        outputs = model(x)
        losses = [w * ((o - y) ** 2).mean() for w, o in zip(weights, outputs)]
        sum(losses).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === the quotient is thrown away
import torch.nn.functional as F


def train(model, groups, optimizer, size):
    for group in groups:
        optimizer.zero_grad()
        for x, y in group:
            loss = F.mse_loss(model(x), y)
            loss.div(size)
            loss.backward()  # <- unscaled-accumulation-loss
        optimizer.step()
# === right: divided in place
import torch.nn.functional as F


def train(model, groups, optimizer, size):
    for group in groups:
        optimizer.zero_grad()
        for x, y in group:
            loss = F.mse_loss(model(x), y)
            loss.div_(size)
            loss.backward()
        optimizer.step()
# === one loss of two is divided by the window
import torch


def train(args, model, loader, optimizer, attack):
    for step, batch in enumerate(loader):
        loss = model(**batch).loss
        if args.gradient_accumulation_steps > 1:
            loss = loss / args.gradient_accumulation_steps
        loss.backward()
        if args.adversarial:
            attack.perturb()
            model(**batch).loss.backward()  # <- unscaled-accumulation-loss
            attack.restore()
        if (step + 1) % args.gradient_accumulation_steps == 0 or step + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === both losses are divided by the window
import torch


def train(args, model, loader, optimizer, attack):
    for step, batch in enumerate(loader):
        loss = model(**batch).loss / args.gradient_accumulation_steps
        loss.backward()
        if args.adversarial:
            attack.perturb()
            (model(**batch).loss / args.gradient_accumulation_steps).backward()
            attack.restore()
        if (step + 1) % args.gradient_accumulation_steps == 0 or step + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a penalty comes once in a window, whole
import torch


def train(model, loader, optimizer, accum):
    for step, (x, y) in enumerate(loader):
        (torch.nn.functional.mse_loss(model(x), y) / accum).backward()
        if (step + 1) % accum == 0 or step + 1 == len(loader):
            model.penalty(x).mean().backward()
            optimizer.step()
            optimizer.zero_grad()
# === a constant of the objective is no share
import torch


def train(cfg, model, loader, optimizer):
    for step, batch in enumerate(loader):
        loss = model(batch)["loss"].mean()
        loss = loss.float() * cfg.num_labels
        loss.backward()  # <- unscaled-accumulation-loss
        if (step + 1) % cfg.accum == 0 or step + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a constant that may be the share
import torch


def train(cfg, model, loader, optimizer):
    for step, batch in enumerate(loader):
        loss = model(batch)["loss"].mean()
        loss = loss.float() * cfg.loss_scale
        loss.backward()
        if (step + 1) % cfg.accum == 0 or step + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === Accelerate divides in its own backward only
import torch
from accelerate import Accelerator


def train(net, loader, contrast, config):
    accelerator = Accelerator(gradient_accumulation_steps=config["accum"])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    for batch in loader:
        with accelerator.accumulate(net):
            loss = torch.nn.functional.cross_entropy(net(batch["anchor"]) @ net(batch["other"]).t(), batch["place"])
            loss.backward()  # <- unscaled-accumulation-loss
            optimizer.step()
            optimizer.zero_grad()
# === losses with their graphs are written into a tensor
import torch
import torch.nn.functional as F


def train(model, loader, window=8):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = torch.zeros(window)
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        losses[i % window] = loss  # <- loss-graph-leak
        print(losses.mean())
# === right: numbers are written into a tensor
import torch
import torch.nn.functional as F


def train(model, loader, window=8):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = torch.zeros(window)
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        losses[i % window] = loss.item()
        print(losses.mean())
# === right: Accelerate counts nothing, and a sum over time is meant
import torch
import torch.nn.functional as F
from accelerate import Accelerator


def train(net, loader, steps):
    accelerator = Accelerator()
    optimizer = torch.optim.AdamW(net.parameters())
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    for x, y in loader:
        state = x
        for t in range(steps):
            state = net(state.detach())
            accelerator.backward(F.mse_loss(state, y[t]))
        optimizer.step()
        optimizer.zero_grad()
# === right: numbers, and numbers only, are written into tensors
import torch
import torch.nn.functional as F


def train(model, loader, window=8):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = torch.zeros(window)
    kept = torch.zeros(window, dtype=torch.long)
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        losses.data[i % window] = loss
        kept[i % window] = loss
# === right: divided by the length of a loader that one update takes whole, if it is told so
import torch
from torch.utils.data import DataLoader


def adapt(net, data, labels, steps, whole):
    optimizer = torch.optim.Adam(net.parameters())
    loader, targets = DataLoader(data, batch_size=2), DataLoader(labels, batch_size=2)
    for step in range(steps):
        if whole:
            optimizer.zero_grad()
        for (x, *_), (y,) in zip(loader, targets):
            if not whole:
                optimizer.zero_grad()
            loss = torch.nn.functional.mse_loss(net(x), y)
            if whole:
                loss /= len(loader)
            loss.backward()
            if not whole:
                optimizer.step()
        if whole:
            optimizer.step()
# === a sum over a sum is none
import torch
from torch import nn


def dice(pred, mask):
    p = pred.sigmoid()
    return 1 - (2 * (p * mask).sum() + 1) / (p.sum() + mask.sum() + 1)


def train(model, loader, optimizer, accum):
    for i, (x, y) in enumerate(loader):
        dice(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0:  # <- dropped-accumulation-tail
            optimizer.step()
            optimizer.zero_grad()
# === right: all losses of a dictionary become numbers
import torch


def train(model, loader, optimizer, criterion):
    total = 0.0
    for batch in loader:
        losses = criterion(model(batch), batch)
        optimizer.zero_grad()
        losses["loss"].backward()
        optimizer.step()
        for number, (key, value) in enumerate(losses.items()):
            losses[key] = value.item()
            if key == "loss":
                continue
            print(number, key)
        total += losses["loss"]
    return total
