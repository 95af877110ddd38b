"""Episodes: loops over epochs, each of which is one batch, with its own backward."""

# === the loss of each, the sum of them, and what each was made of
import torch
from torch.distributions import Categorical


def reinforce(policy, env, optimizer, episodes):
    losses, everything, total = [], [], 0.0
    for episode in range(episodes):
        state, done, chances, rewards = env.reset(), False, [], []
        while not done:
            turn = Categorical(logits=policy(state))
            action = turn.sample()
            chances.append(turn.log_prob(action))
            state, reward, done, _ = env.step(action)
            rewards.append(reward)
        loss = -torch.stack(chances).sum() * sum(rewards)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)  # <- loss-graph-leak
        everything.append(chances)  # <- loss-graph-leak
        total += loss  # <- loss-graph-leak
    return losses, everything, total

# === printed every fifty episodes
import torch
from torch.distributions import Categorical


def reinforce(policy, env, optimizer, episodes):
    losses = []
    for episode in range(episodes):
        state, done, chances = env.reset(), False, []
        while not done:
            turn = Categorical(logits=policy(state))
            action = turn.sample()
            chances.append(turn.log_prob(action))
            state, reward, done, _ = env.step(action)
        loss = -torch.stack(chances).mean() * reward
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)  # <- loss-graph-leak
        if episode % 50 == 0:
            print(torch.stack(losses).mean())
            losses.clear()

# === right: begun anew every few episodes, or numbers alone
import torch
from torch.distributions import Categorical


def reinforce(policy, env, optimizer, episodes):
    few, numbers, total, best = [], [], 0.0, None
    for episode in range(episodes):
        state, done, chances = env.reset(), False, []
        while not done:
            turn = Categorical(logits=policy(state))
            action = turn.sample()
            chances.append(turn.log_prob(action))
            state, reward, done, _ = env.step(action)
        loss = -torch.stack(chances).mean() * reward
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        few.append(loss)
        numbers.append([one.item() for one in chances])
        total += loss.detach()
        best = loss if best is None or loss < best else best
        if episode % 4 == 0:
            print(torch.stack(few).mean())
            few = []
    return numbers, total, best

# === right: the losses of some episodes go backward together
import torch
from torch.distributions import Categorical


def reinforce(policy, env, optimizer, rounds, episodes):
    for _ in range(rounds):
        losses = []
        for episode in range(episodes):
            state, done, chances = env.reset(), False, []
            while not done:
                turn = Categorical(logits=policy(state))
                action = turn.sample()
                chances.append(turn.log_prob(action))
                state, reward, done, _ = env.step(action)
            losses.append(-torch.stack(chances).mean() * reward)
        optimizer.zero_grad()
        torch.stack(losses).mean().backward()
        optimizer.step()

# === right: the last batch of an epoch
import torch
from torch.nn.functional import mse_loss


def train(net, loader, optimizer, epochs):
    last = []
    for epoch in range(epochs):
        for x, y in loader:
            loss = mse_loss(net(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        last.append(loss)
    return last
