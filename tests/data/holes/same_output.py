"""What comes from the output of the network as the loss does, and is gathered with its graph."""

# === a metric under a key
import torch
from torch import nn
import torch.nn.functional as F


def train(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        sums = {"loss": 0.0, "mae": 0.0}
        for x, y in loader:
            optimizer.zero_grad()
            out = model(x)
            loss = F.mse_loss(out, y)
            mae = (out - y).abs().mean()
            loss.backward()
            optimizer.step()
            sums["loss"] += loss.item()
            sums["mae"] = sums["mae"] + mae  # <- loss-graph-leak
        print(sums)

# === a metric of torch in a list, which is stacked at the end
import torch
import torch.nn.functional as F


def train(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        errors, total = [], 0.0
        for x, y in loader:
            optimizer.zero_grad()
            logits = model(x).logits
            loss = F.cross_entropy(logits, y)
            loss.backward()
            optimizer.step()
            errors.append(torch.sqrt(F.mse_loss(torch.softmax(logits, dim=-1), y)))  # <- loss-graph-leak
            total += F.l1_loss(logits, y)  # <- loss-graph-leak
        print(torch.stack(errors).mean().item(), total)

# === a deque that forgets nothing
from collections import deque
import torch
import torch.nn.functional as F


def train(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    history = deque()
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = F.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            history.append(loss)  # <- loss-graph-leak
        print(torch.stack(list(history)).mean())

# === right: a deque of the last fifty
from collections import deque
import torch
import torch.nn.functional as F


def train(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    history = deque(maxlen=50)
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = F.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            history.append(loss)
        print(sum(history) / len(history))

# === right: what has no graph, for it is counted, compared, rounded or cut off
import torch
import torch.nn.functional as F


def train(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        sums = {"acc": 0.0, "mae": 0.0}
        right, rounded, cut, seen, whole = 0, 0, 0.0, 0, 0
        for x, y in loader:
            optimizer.zero_grad()
            out = model(x)
            loss = F.cross_entropy(out, y)
            loss.backward()
            optimizer.step()
            sums["acc"] += (out.argmax(-1) == y).float().mean()
            right += (out > 0).sum()
            rounded = rounded + out.to(torch.long).sum()
            whole += torch.max(out, 1)[1].eq(y).sum()
            cut += F.l1_loss(out.detach(), y)
            seen += out.size(0)
            with torch.no_grad():
                mae = (out - y).abs().mean()
            sums["mae"] = sums["mae"] + mae
        print(sums, right, rounded, cut, seen, whole)

# === right: another part of what the network returns, which may be a number
import torch
import torch.nn.functional as F


def train(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        accuracy, drawn = 0.0, []
        for x, y in loader:
            optimizer.zero_grad()
            logits, right = model(x, y)
            loss = F.cross_entropy(logits, y)
            loss.backward()
            optimizer.step()
            accuracy += right / 2
            drawn.append(compare(logits, y))
        print(accuracy, drawn)

# === right: gathered to be trained on at the end of the episode
import torch


def train(critic, actor, env, episodes):
    optimizer = torch.optim.SGD(critic.parameters(), lr=0.1)
    for episode in range(episodes):
        values, rewards = [], []
        for state in env:
            value = critic(state)
            values.append(value.squeeze(-1))
            rewards.append(env.reward())
        loss = (torch.stack(values) - torch.tensor(rewards)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
