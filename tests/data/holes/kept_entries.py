# === a dictionary of losses goes into a list for the epoch
import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    history = []
    for x, y in loader:
        optimizer.zero_grad()
        out = model(x)
        losses = {"first": F.cross_entropy(out, y), "second": out.pow(2).mean()}
        losses["loss"] = losses["first"] + 0.1 * losses["second"]
        losses["loss"].backward()
        optimizer.step()
        history.append(losses)  # <- loss-graph-leak
    return sum(one["loss"].item() for one in history)
# === right: the numbers of a dictionary go into a list
import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    history = []
    for x, y in loader:
        optimizer.zero_grad()
        out = model(x)
        losses = {"first": F.cross_entropy(out, y), "second": out.pow(2).mean()}
        losses["loss"] = losses["first"] + 0.1 * losses["second"]
        losses["loss"].backward()
        optimizer.step()
        history.append({key: value.item() for key, value in losses.items()})
    return sum(one["loss"] for one in history)
# === a dictionary that a helper fills, and another one written down where it is kept
import torch
import torch.nn.functional as F


def fill(model, x, y, losses):
    out = model(x)
    losses["first"] = F.cross_entropy(out, y)
    losses["second"] = out.pow(2).mean()
    return losses, out


def train(model, loader, optimizer, epochs):
    for epoch in range(epochs):
        history, shown = [], []
        for x, y in loader:
            optimizer.zero_grad()
            losses, _ = fill(model, x, y, {})
            loss = losses["first"] + losses["second"]
            loss.backward()
            optimizer.step()
            history.append(losses)  # <- loss-graph-leak
            shown.append({"epoch": epoch, "loss": loss, "size": len(x)})  # <- loss-graph-leak
        print(sum(one["first"].item() for one in history), shown[-1]["size"])
# === right: what a dictionary keeps is detached, or a number
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, epochs):
    for epoch in range(epochs):
        shown = []
        for x, y in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            shown.append({"epoch": epoch, "loss": loss.detach(), "size": len(x)})
        print(sum(one["loss"].item() for one in shown))
# === right: the dictionaries of a rollout are made for the backward behind it
import torch


def train(policy, env, optimizer, episodes):
    for episode in range(episodes):
        memory = []
        state = env.reset()
        for step in range(100):
            logits = policy(state)
            choice = torch.distributions.Categorical(logits=logits)
            action = choice.sample()
            state, reward, done, _ = env.step(action.item())
            memory.append({"chance": choice.log_prob(action), "reward": reward})
            if done:
                break
        loss = -sum(one["chance"] * one["reward"] for one in memory)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
# === right: the losses of a window are gathered in dictionaries, and one backward goes through all
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum):
    gathered = []
    for i, (x, y) in enumerate(loader):
        gathered.append({"loss": F.cross_entropy(model(x), y)})
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.zero_grad()
            torch.stack([one["loss"] for one in gathered]).mean().backward()
            optimizer.step()
            gathered = []
# === right: a dictionary of a rollout gets its reward once it is in the list
import torch


def train(policy, env, optimizer, episodes):
    for episode in range(episodes):
        memory = []
        state = env.reset()
        for step in range(100):
            choice = torch.distributions.Categorical(logits=policy(state))
            action = choice.sample()
            turn = {"chance": choice.log_prob(action)}
            memory.append(turn)
            state, turn["reward"], done, _ = env.step(action.item())
            if done:
                break
        loss = -sum(one["chance"] * one["reward"] for one in memory)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
# === a dictionary of losses goes into a list ahead of the backward
import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    history = []
    for x, y in loader:
        optimizer.zero_grad()
        losses = {"loss": F.cross_entropy(model(x), y)}
        history.append(losses)  # <- loss-graph-leak
        losses["loss"].backward()
        optimizer.step()
    return sum(one["loss"].item() for one in history)
