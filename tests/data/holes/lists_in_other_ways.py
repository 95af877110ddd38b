"""Lists that losses come to by something else than `append`."""

# === put behind it, several at once, and under a key
from torch.nn.functional import l1_loss, mse_loss


def train(net, loader, optimizer):
    plain, both, named, inner = [], [], {}, [[], []]
    for x, y in loader:
        out = net(x)
        first, second = mse_loss(out, y), l1_loss(out, y)
        optimizer.zero_grad()
        (first + second).backward()
        optimizer.step()
        plain += [first]  # <- loss-graph-leak
        both.extend([first, 2 * second])  # <- loss-graph-leak
        inner[0].append(first)  # <- loss-graph-leak
        for name, value in {"first": first, "second": second}.items():
            named.setdefault(name, []).append(value)  # <- loss-graph-leak
    return plain, both, named, inner

# === under the names of what the network returns
def train(net, loader, optimizer):
    history = {}
    for x, y in loader:
        found = net(x, y)
        optimizer.zero_grad()
        sum(found.values()).backward()
        optimizer.step()
        for name, value in found.items():
            history.setdefault(name, []).append(value)  # <- loss-graph-leak
    return history

# === each by a step of its own, in one line
import torch
from torch.nn.functional import mse_loss


class Trainer:
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

    def step(self, x, y):
        loss = mse_loss(self.net(x), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss

    def epoch(self, loader):
        losses = [self.step(x, y) for x, y in loader]  # <- loss-graph-leak
        return torch.stack(losses).mean()

# === right: numbers, and what goes backward
import torch
from torch.nn.functional import l1_loss, mse_loss


def train(net, loader, optimizer, n):
    numbers, terms, more, named = [], [], [], {}
    for i, (x, y) in enumerate(loader):
        out = net(x)
        first, second = mse_loss(out, y), l1_loss(out, y)
        numbers += [first.item(), second.item()]
        numbers.extend([float(first), second.detach()])
        named.setdefault("first", []).append(first.detach())
        terms += [first]
        more.extend([first, second])
        if (i + 1) % n == 0:
            optimizer.zero_grad()
            (sum(terms) / n + torch.stack(more).mean()).backward()
            optimizer.step()
            terms, more = [], []
    return numbers, named

# === right: numbers that a step returns, in one line
import torch
from torch.nn.functional import mse_loss


class Trainer:
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

    def step(self, x, y):
        loss = mse_loss(self.net(x), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.detach()

    def epoch(self, loader):
        losses = [self.step(x, y) for x, y in loader]
        last = [self.step(x, y).item() for x, y in loader]
        return torch.stack(losses).mean(), last

# === right: lists of one batch
import torch
from torch.nn.functional import mse_loss


def train(net, heads, loader, optimizer, log):
    for x, targets in loader:
        losses, named, rest = [], {}, []
        for head, y in zip(heads, targets):
            loss = mse_loss(head(net(x)), y)
            losses += [loss]
            named.setdefault("loss", []).append(loss)
        rest.extend([mse_loss(head(net(x)), y) for head, y in zip(heads, targets)])
        optimizer.zero_grad()
        (sum(losses) + sum(rest)).backward()
        optimizer.step()
        log(named)

# === a longer list in the place of the old one, the rows of an output, and records
from dataclasses import dataclass
import torch
from torch.nn.functional import mse_loss


@dataclass
class Row:
    loss: torch.Tensor
    seen: int = 1


def train(net, loader, optimizer):
    plain, named, rows, records = [], {"loss": []}, [], []
    for x, y in loader:
        out = net(x)
        loss = mse_loss(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        plain = plain + [loss]  # <- loss-graph-leak
        named["loss"] = named["loss"] + [loss]  # <- loss-graph-leak
        rows.extend(torch.sigmoid(out))  # <- loss-graph-leak
        records.append(Row(loss, len(x)))  # <- loss-graph-leak
    return plain, named, rows, records

# === right: of numbers, or to go backward
from dataclasses import dataclass
import torch
from torch.nn.functional import mse_loss


@dataclass
class Row:
    loss: torch.Tensor
    seen: int = 1


def train(net, loader, optimizer, n):
    plain, rows, records, terms, parts, whole = [], [], [], [], [], []
    for i, (x, y) in enumerate(loader):
        out = net(x)
        loss = mse_loss(out, y)
        plain = plain + [loss.item()]
        rows.extend(out.argmax(1))
        rows.extend(out.detach().cpu().numpy())
        records.append(Row(loss.detach(), len(x)))
        terms = terms + [loss]
        parts.extend(out)
        whole.append(Row(loss))
        if (i + 1) % n == 0:
            optimizer.zero_grad()
            (sum(terms) / n + torch.stack(parts).mean() + sum(one.loss for one in whole)).backward()
            optimizer.step()
            terms, parts, whole = [], [], []
    return plain, rows, records
