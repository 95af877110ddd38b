"""Players: episodes that are gathered for one update, minibatches of a rollout, and learning from a memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

EPISODES = Draft(
    "episodes-gathered",
    """\
import random

import torch
from torch import nn
from torch.distributions import Categorical


class Corridor:
    '''Walk to the right end; every move costs a little.'''

    def reset(self):
        self.place, self.moves = 2, 0
        return self.observe()

    def observe(self):
        return torch.nn.functional.one_hot(torch.tensor(self.place), 6).double()

    def step(self, action):
        self.moves += 1
        self.place = max(0, min(5, self.place + (1 if action == 1 else -1)))
        done = self.place == 5 or self.moves == 12
        return self.observe(), (1.0 if self.place == 5 else -0.05), done


def play(env, policy):
    state, done = env.reset(), False
    logs, rewards = [], []
    while not done:
        choice = Categorical(logits=policy(state))
        action = choice.sample()
        state, reward, done = env.step(action.item())
        logs.append(choice.log_prob(action))
        rewards.append(reward)
    return torch.stack(logs), rewards


def discounted(rewards, gamma=0.95):
    returns, tail = [], 0.0
    for reward in reversed(rewards):
        tail = reward + gamma * tail
        returns.append(tail)
    returns = torch.tensor(returns[::-1], dtype=torch.float64)
    return returns - returns.mean()


def main():
    random.seed(3)
    torch.manual_seed(3)
    env, per_update, episodes = Corridor(), 4, 16
    policy = nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 2)).double()
    optimizer = torch.optim.RMSprop(policy.parameters(), lr=1e-2)
    running, episode = 0.0, 0
    while episode < episodes:
        logs, rewards = play(env, policy)
        loss = -(logs * discounted(rewards)).sum()
        (loss / per_update).backward()
        running += sum(rewards)
        episode += 1
        if episode % per_update == 0:
            nn.utils.clip_grad_norm_(policy.parameters(), 0.05)
            optimizer.step()
            optimizer.zero_grad()
            print(f"after {episode} episodes: {running / per_update:.3f}")
            running = 0.0
    return policy
""",
    ("accumulation-off-by-one", "zero-grad-in-accumulation"),
)

E_CLIP = "            nn.utils.clip_grad_norm_(policy.parameters(), 0.05)\n"
E_CLEAR = "            optimizer.zero_grad()\n"
E_BACKWARD = "        (loss / per_update).backward()\n"
E_COUNT = "        running += sum(rewards)\n        episode += 1\n"


def episodes() -> Iterator[Case]:
    yield EPISODES.right("mean-over-episodes")
    yield EPISODES.right(
        "sum-over-episodes",
        (E_BACKWARD, "        loss.backward()  # returns are summed, not averaged: lr was tuned for it\n"),
        tempts=("unscaled-accumulation-loss",),
    )
    yield EPISODES.right(
        "window-closed-by-the-number-of-moves",
        (E_BACKWARD, "        loss.backward()\n"),
        ("    running, episode = 0.0, 0\n", "    running, episode, moves, last = 0.0, 0, 0, 0\n"),
        (E_COUNT, E_COUNT + "        moves += len(rewards)\n"),
        ("        if episode % per_update == 0:\n", "        if moves >= 25 or episode == episodes:\n"),
        (E_CLIP, "            for p in policy.parameters():\n                p.grad /= moves\n" + E_CLIP),
        (
            '{running / per_update:.3f}")\n            running = 0.0\n',
            '{running / (episode - last):.3f}")\n            running, moves, last = 0.0, 0, episode\n',
        ),
        tempts=("unscaled-accumulation-loss", "dropped-accumulation-tail"),
    )
    yield EPISODES.wrong(
        "first-update-after-one-episode",
        (
            (E_COUNT, "        running += sum(rewards)\n"),
            ("            running = 0.0\n", "            running = 0.0\n        episode += 1\n"),
            ('print(f"after {episode} episodes', 'print(f"after {episode + 1} episodes'),
        ),
        fine=(
            (
                (E_COUNT, "        running += sum(rewards)\n"),
                ("episode % per_update == 0", "(episode + 1) % per_update == 0"),
                ("            running = 0.0\n", "            running = 0.0\n        episode += 1\n"),
                ('print(f"after {episode} episodes', 'print(f"after {episode + 1} episodes'),
            ),
        ),
    )
    yield EPISODES.wrong(
        "cleared-for-each-episode",
        ((E_CLEAR, ""), (E_BACKWARD, "        optimizer.zero_grad()\n" + E_BACKWARD)),
    )
    yield EPISODES.wrong(
        "limited-for-each-episode",
        ((E_CLIP, ""), (E_BACKWARD, E_BACKWARD + "        nn.utils.clip_grad_norm_(policy.parameters(), 0.05)\n")),
        tempts=("clip-per-micro-batch",),
    )


PPO = Draft(
    "minibatches-of-a-rollout",
    """\
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Config:
    iterations: int = 3
    epochs: int = 2
    horizon: int = 24
    minibatch: int = 8
    lr: float = 0.02
    clip_range: float = 0.2
    max_grad_norm: float = 0.5
    target_kl: float = 0.3


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Dropout(0.1))
        self.pi, self.v = nn.Linear(16, 3), nn.Linear(16, 1)

    def forward(self, obs):
        hidden = self.trunk(obs)
        return torch.distributions.Categorical(logits=self.pi(hidden)), self.v(hidden).squeeze(-1)


class PPO:
    def __init__(self, cfg):
        self.cfg, self.actor = cfg, Actor()
        self.opt = torch.optim.Adam(self.actor.parameters(), lr=cfg.lr, eps=1e-5)
        self.anneal = torch.optim.lr_scheduler.LinearLR(self.opt, 1.0, 0.1, total_iters=cfg.iterations)

    @torch.no_grad()
    def collect(self):
        self.actor.eval()
        obs = torch.randn(self.cfg.horizon, 4)
        dist, value = self.actor(obs)
        action = dist.sample()
        reward = (action == obs[:, :3].argmax(1)).float()
        self.actor.train()
        return obs, action, dist.log_prob(action), reward - value, reward

    def loss(self, obs, action, old, advantage, returns):
        dist, value = self.actor(obs)
        ratio = (dist.log_prob(action) - old).exp()
        low, high = 1 - self.cfg.clip_range, 1 + self.cfg.clip_range
        policy = -torch.min(ratio * advantage, ratio.clamp(low, high) * advantage).mean()
        kl = (old - dist.log_prob(action)).mean().detach()
        return policy + 0.5 * (value - returns).square().mean() - 0.01 * dist.entropy().mean(), kl

    def update(self, rollout):
        total, updates = 0.0, 0
        for _ in range(self.cfg.epochs):
            for index in torch.randperm(self.cfg.horizon).split(self.cfg.minibatch):
                loss, kl = self.loss(*(part[index] for part in rollout))
                self.opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.actor.parameters(), self.cfg.max_grad_norm)
                self.opt.step()
                total, updates = total + loss.item(), updates + 1
            if kl > self.cfg.target_kl:
                break
        return total / updates

    def learn(self):
        for iteration in range(self.cfg.iterations):
            loss = self.update(self.collect())
            self.anneal.step()
            print(f"{iteration}: loss {loss:.4f}, lr {self.anneal.get_last_lr()[0]:.4f}")


def main():
    torch.manual_seed(12)
    ppo = PPO(Config())
    ppo.learn()
    return ppo.actor
""",
    ("missing-train-mode", "scheduler-per-micro-batch"),
)

P_CLIP = "                nn.utils.clip_grad_norm_(self.actor.parameters(), self.cfg.max_grad_norm)\n"
P_CLEAR = "                self.opt.zero_grad()\n"
P_STEP = "                self.opt.step()\n"
P_BACKWARD = "                loss.backward()\n"
P_TOTAL = "                total, updates = total + loss.item(), updates + 1\n"


def rollouts() -> Iterator[Case]:
    yield PPO.right("rate-falls-once-for-each-rollout")
    yield PPO.right(
        "same-mode-for-playing-and-learning",
        ("        self.actor.train()\n", ""),
        (
            "        obs = torch.randn(",
            "        # eval for good: the ratio is 1 only while dropout is off\n        obs = torch.randn(",
        ),
    )
    yield PPO.right(
        "rate-falls-with-each-minibatch",
        ("total_iters=cfg.iterations)", "total_iters=cfg.iterations * cfg.epochs * 3)"),
        ("            self.anneal.step()\n", ""),
        (P_STEP, P_STEP + "                self.anneal.step()\n"),
    )
    yield PPO.wrong(
        "limited-in-front-of-the-backward",
        ((P_BACKWARD + P_CLIP, P_CLIP + P_BACKWARD),),
        tempts=("clip-before-backward",),
    )
    yield PPO.wrong(
        "cleared-between-backward-and-step",
        ((P_CLEAR, ""), (P_STEP, P_CLEAR + P_STEP)),
        tempts=("zero-grad-before-step",),
    )
    yield PPO.wrong("clearing-not-called", ((P_CLEAR, P_CLEAR.replace("()", "")),), tempts=("method-not-called",))
    yield PPO.wrong(
        "graphs-kept-for-the-mean",
        ((P_TOTAL, P_TOTAL.replace(".item()", "")),),
        tempts=("loss-graph-leak",),
    )


REPLAY = Draft(
    "learning-from-a-memory",
    """\
import copy
import random
from collections import deque

import torch
import torch.nn.functional as F

LEARNING_STARTS = 10
TRAIN_EVERY = 2
SYNC_EVERY = 8


def q_network():
    return torch.nn.Sequential(
        torch.nn.Linear(3, 12), torch.nn.ReLU(), torch.nn.Dropout(0.2), torch.nn.Linear(12, 2)
    )


def act(online, state, epsilon):
    if random.random() < epsilon:
        return random.randrange(2)
    online.eval()
    with torch.no_grad():
        action = int(online(state).argmax())
    online.train()
    return action


def world(state, action):
    following = (0.8 * state + 0.4 * torch.randn(3)).clamp(-2, 2)
    return following, float(following[action])


def learn(online, target, optimizer, memory):
    state, action, reward, following = map(torch.stack, zip(*random.sample(memory, 6)))
    with torch.no_grad():
        aim = reward + 0.9 * target(following).max(1).values
    guess = online(state).gather(1, action[:, None]).squeeze(1)
    loss = F.smooth_l1_loss(guess, aim)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_value_(online.parameters(), 0.05)
    optimizer.step()
    return loss.item()


def main():
    random.seed(7)
    torch.manual_seed(7)
    online = q_network()
    target = copy.deepcopy(online).eval()
    optimizer = torch.optim.SGD(online.parameters(), lr=0.3)
    memory, losses = deque(maxlen=30), []
    state = torch.zeros(3)
    for step in range(40):
        action = act(online, state, epsilon=max(0.1, 1 - step / 20))
        following, reward = world(state, action)
        memory.append((state, torch.tensor(action), torch.tensor(reward), following))
        state = following
        if len(memory) >= LEARNING_STARTS and step % TRAIN_EVERY == 0:
            losses.append(learn(online, target, optimizer, memory))
        if step % SYNC_EVERY == 0:
            target.load_state_dict(online.state_dict())
    print(f"{len(losses)} updates, last losses", *(f"{loss:.4f}" for loss in losses[-3:]))
    return online
""",
    ("missing-train-mode", "accumulation-off-by-one"),
)

L_CLIP = "    torch.nn.utils.clip_grad_value_(online.parameters(), 0.05)\n"
L_STEP = "    optimizer.step()\n"


def replay() -> Iterator[Case]:
    yield REPLAY.right("learns-every-second-move")
    yield REPLAY.right(
        "target-follows-slowly",
        (
            "        if step % SYNC_EVERY == 0:\n            target.load_state_dict(online.state_dict())\n",
            """\
        with torch.no_grad():
            for slow, fast in zip(target.parameters(), online.parameters()):
                slow.lerp_(fast, 0.05)
""",
        ),
    )
    yield REPLAY.right(
        "learns-behind-a-continue",
        (
            """\
        if len(memory) >= LEARNING_STARTS and step % TRAIN_EVERY == 0:
            losses.append(learn(online, target, optimizer, memory))
        if step % SYNC_EVERY == 0:
            target.load_state_dict(online.state_dict())
""",
            """\
        if len(memory) < LEARNING_STARTS or step % TRAIN_EVERY:
            continue
        for _ in range(2):  # the memory is cheap: two updates for each visit
            losses.append(learn(online, target, optimizer, memory))
        if step % SYNC_EVERY == 0:
            target.load_state_dict(online.state_dict())
""",
        ),
    )
    yield REPLAY.wrong(
        "train-is-not-called", (("    online.train()\n", "    online.train\n"),), tempts=("method-not-called",)
    )
    yield REPLAY.right(
        "eval-from-the-beginning",
        ("    online.eval()\n    with", "    with"),
        ("    online.train()\n", ""),
        ("    target = copy", "    online.eval()  # dropout is a relic of the pretraining\n    target = copy"),
    )
    yield REPLAY.wrong("stays-in-eval-after-acting", (("    online.train()\n", ""),), tempts=("missing-train-mode",))
    yield REPLAY.wrong("limit-behind-the-step", ((L_CLIP + L_STEP, L_STEP + L_CLIP),), tempts=("clip-after-step",))


def cases() -> Iterator[Case]:
    yield from episodes()
    yield from rollouts()
    yield from replay()
