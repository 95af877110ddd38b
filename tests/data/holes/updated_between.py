# A scaler that is updated between two steps that wait for the same backward, and near misses.

# === first one, then the update, then the other
import torch


def paint(body, head, batches, slow, fast):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in batches:
        slow.zero_grad()
        fast.zero_grad()
        with torch.autocast("cuda"):
            error = torch.nn.functional.mse_loss(head(body(x)), y)
        scaler.scale(error).backward()
        scaler.step(slow)
        scaler.update()
        scaler.step(fast)  # <- missing-scaler-update


# === updated behind both, too
import torch


def paint(body, head, batches, slow, fast):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in batches:
        slow.zero_grad()
        fast.zero_grad()
        with torch.autocast("cuda"):
            error = torch.nn.functional.mse_loss(head(body(x)), y)
        scaler.scale(error).backward()
        scaler.step(slow)
        scaler.update()
        scaler.step(fast)  # <- missing-scaler-update
        scaler.update()


# === updated for each of several optimizers
import torch


def paint(net, batches):
    kinds = [torch.optim.SGD(net.table.parameters(), lr=1.0), torch.optim.Adam(net.tower.parameters())]
    scaler = torch.amp.GradScaler("cuda")
    for x, y in batches:
        for one in kinds:
            one.zero_grad()
        with torch.autocast("cuda"):
            error = torch.nn.functional.mse_loss(net(x), y)
        scaler.scale(error).backward()
        for one in kinds:
            scaler.step(one)  # <- missing-scaler-update
            scaler.update()


# === right: updated behind both
import torch


def paint(body, head, batches, slow, fast):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in batches:
        slow.zero_grad()
        fast.zero_grad()
        with torch.autocast("cuda"):
            error = torch.nn.functional.mse_loss(head(body(x)), y)
        scaler.scale(error).backward()
        scaler.step(slow)
        scaler.step(fast)
        scaler.update()


# === right: the second goes back again before it steps
import torch


def duel(maker, judge, batches, opt_m, opt_j, bce):
    scaler = torch.amp.GradScaler("cuda")
    for real in batches:
        made = maker(torch.randn(len(real), 8))
        opt_j.zero_grad()
        scaler.scale(bce(judge(real), 1) + bce(judge(made.detach()), 0)).backward()
        scaler.step(opt_j)
        scaler.update()
        opt_m.zero_grad()
        scaler.scale(bce(judge(made), 1)).backward()
        scaler.step(opt_m)
        scaler.update()


# === right: each has a scaler of its own
import torch


def paint(body, head, batches, slow, fast):
    ours, theirs = torch.amp.GradScaler("cuda"), torch.amp.GradScaler("cuda")
    for x, y in batches:
        slow.zero_grad()
        fast.zero_grad()
        ours.scale(torch.nn.functional.mse_loss(body(x), y)).backward()
        theirs.scale(torch.nn.functional.mse_loss(head(x), y)).backward()
        ours.step(slow)
        ours.update()
        theirs.step(fast)
        theirs.update()


# === right: a slow one gathers several batches, each with its update
import torch


def two_clocks(body, head, batches, slow, fast):
    scaler = torch.amp.GradScaler("cuda")
    for n, (x, y) in enumerate(batches):
        fast.zero_grad()
        with torch.autocast("cuda"):
            error = torch.nn.functional.mse_loss(head(body(x)), y) / 4
        scaler.scale(error).backward()
        scaler.step(fast)
        if n % 4 == 3:
            scaler.step(slow)
            slow.zero_grad()
        scaler.update()
