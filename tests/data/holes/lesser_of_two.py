# === the ratio is summed up with the graph of a loss that takes the lesser of two terms
import torch


def improve(policy, optimizer, batch, before, gain, limit):
    scores, values = policy(batch)
    ratio = torch.exp(scores - before)
    clipped = torch.clamp(ratio, 1.0 - limit, 1.0 + limit) * gain
    loss = -torch.min(ratio * gain, clipped).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss, ratio


def train(policy, optimizer, loader, limit):
    told = {"loss": 0, "ratio": 0}
    for batch in loader:
        loss, ratio = improve(policy, optimizer, batch, batch.before, batch.gain, limit)
        told["loss"] += loss.item()
        told["ratio"] += ratio.mean()  # <- loss-graph-leak
    return told
# === the same by the method of a tensor
import torch


def train(policy, optimizer, loader, limit):
    total = 0
    for batch in loader:
        scores, values = policy(batch)
        ratio = torch.exp(scores - batch.before)
        clipped = ratio.clamp(1.0 - limit, 1.0 + limit) * batch.gain
        loss = -(ratio * batch.gain).minimum(clipped).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += ratio.mean()  # <- loss-graph-leak
    return total
# === of the ratio only the number is summed up
import torch


def train(policy, optimizer, loader, limit):
    total = 0
    for batch in loader:
        scores, values = policy(batch)
        ratio = torch.exp(scores - batch.before)
        clipped = torch.clamp(ratio, 1.0 - limit, 1.0 + limit) * batch.gain
        loss = -torch.min(ratio * batch.gain, clipped).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += ratio.detach().mean()
    return total
# === what is the largest along a dimension, and where it stands, is counted
import torch


def train(model, optimizer, loader, criterion):
    right = 0
    for x, y in loader:
        out = model(x)
        best, where = torch.max(out, 1)
        loss = criterion(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        right += (where == y).sum()
    return right
# === the lesser of what carries no graph is summed up
import torch


def train(model, optimizer, loader, criterion):
    total = 0
    for x, y in loader:
        out = model(x)
        loss = criterion(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            total += torch.min(out.exp(), out.sigmoid()).mean()
    return total
