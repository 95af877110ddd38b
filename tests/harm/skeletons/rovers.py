"""Reinforcement: returns of whole walks, a replay, two that bargain, and an actor that learns late under one scaler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

RETURNS = Draft(
    "rover-with-returns",
    """\
import torch

torch.set_default_dtype(torch.float64)
MOVES = torch.tensor([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
GOAL = torch.tensor([2.0, -1.0])
WALKS = 3


def walk(policy, rng=None, length=6):
    place, logs, rewards = torch.zeros(2), [], []
    for _ in range(length):
        chances = policy(place).softmax(-1)
        move = chances.argmax() if rng is None else torch.multinomial(chances, 1, generator=rng)[0]
        logs.append(chances[move].log())
        place = place + MOVES[move]
        rewards.append(-(place - GOAL).abs().sum())
    returns = torch.stack(rewards).flip(0).cumsum(0).flip(0)
    return torch.stack(logs), returns


def greedy_return(policy):
    policy.eval()
    with torch.no_grad():
        _, returns = walk(policy)
    policy.train()
    return returns[0].item()


def main():
    torch.manual_seed(8)
    policy = torch.nn.Sequential(
        torch.nn.Linear(2, 10), torch.nn.Tanh(), torch.nn.Dropout(0.25), torch.nn.Linear(10, 4)
    )
    optimizer = torch.optim.SGD(policy.parameters(), lr=0.1, momentum=0.6)
    rng = torch.Generator().manual_seed(14)
    told = 0.0
    for turn in range(5):
        optimizer.zero_grad()
        losses = []
        for _ in range(WALKS):
            logs, returns = walk(policy, rng)
            losses.append(-(logs * (returns - returns.mean())).mean())
            told += losses[-1].item()
        torch.stack(losses).mean().backward()
        torch.nn.utils.clip_grad_norm_(policy.parameters(), 2.0)
        optimizer.step()
        if turn % 2 == 0:
            print(turn, f"{greedy_return(policy):.1f}", f"{told:.4f}")
    return policy
""",
    ("loss-graph-leak", "missing-train-mode"),
)

R_CLEAR = "        optimizer.zero_grad()\n"
R_LIST = """\
        losses = []
        for _ in range(WALKS):
            logs, returns = walk(policy, rng)
            losses.append(-(logs * (returns - returns.mean())).mean())
            told += losses[-1].item()
        torch.stack(losses).mean().backward()
"""
R_TURN = "        for _ in range(WALKS):\n"
R_EACH = RETURNS.styled(
    (
        R_LIST,
        R_TURN
        + """\
            logs, returns = walk(policy, rng)
            loss = -(logs * (returns - returns.mean())).mean()
            (loss / WALKS).backward()
            told += loss.item()
""",
    )
)
R_SLEEP = ("    policy.train()\n    return returns[0]", "    return returns[0]")
R_CLIP = "        torch.nn.utils.clip_grad_norm_(policy.parameters(), 2.0)\n"


def returns() -> Iterator[Case]:
    yield RETURNS.right("walks-gathered-for-one-backward")
    yield R_EACH.right("each-walk-goes-backward", tempts=("unscaled-accumulation-loss",))
    yield RETURNS.right(
        "wakes-where-it-explores",
        R_SLEEP,
        ("    place, logs, rewards =", "    policy.train(rng is not None)\n    place, logs, rewards ="),
    )
    yield R_EACH.right(
        "gradients-shared-out-by-a-hook",
        ("(loss / WALKS).backward()", "loss.backward()"),
        (
            "    rng = torch",
            (
                "    for weight in policy.parameters():\n        weight.register_hook(lambda g: g / WALKS)\n"
                "    rng = torch"
            ),
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield R_EACH.wrong(
        "sum-of-walks", (("(loss / WALKS).backward()", "loss.backward()"),), tempts=("unscaled-accumulation-loss",)
    )
    yield R_EACH.wrong(
        "told-with-graphs-and-clip-first",
        (("told += loss.item()", "told += loss"),),
        ((R_CLIP, ""), (R_TURN, R_CLIP + R_TURN)),
        tempts=("loss-graph-leak", "clip-before-backward"),
    )
    yield RETURNS.wrong("asleep-behind-the-greedy-walk", (R_SLEEP,), tempts=("missing-train-mode",))
    yield RETURNS.wrong(
        "cleared-behind-the-backward",
        ((R_CLEAR, ""), (R_CLIP, R_CLIP + R_CLEAR)),
        tempts=("zero-grad-before-step",),
    )


REPLAY = Draft(
    "rover-and-its-replay",
    """\
import collections
import copy
import random

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
Seen = collections.namedtuple("Seen", "state act reward after")


class Agent:
    def __init__(self, seed=3):
        self.local = nn.Sequential(nn.Linear(3, 12), nn.ReLU(), nn.Dropout(0.2), nn.Linear(12, 2))
        self.target = copy.deepcopy(self.local).eval()
        self.optimizer = torch.optim.Adam(self.local.parameters(), lr=0.02)
        self.rates = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, 0.8)
        self.memory = collections.deque(maxlen=30)
        self.luck = random.Random(seed)

    def act(self, state):
        if self.luck.random() < 0.3:
            return self.luck.randrange(2)
        self.local.eval()
        with torch.no_grad():
            values = self.local(state)
        self.local.train()
        return int(values.argmax())

    def learn(self, size=6):
        states, acts, rewards, after = zip(*self.luck.sample(self.memory, size))
        with torch.no_grad():
            wanted = torch.tensor(rewards) + 0.9 * self.target(torch.stack(after)).amax(1)
        values = self.local(torch.stack(states))[range(size), acts]
        loss = nn.functional.smooth_l1_loss(values, wanted)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.local.parameters(), 0.1)
        self.optimizer.step()
        with torch.no_grad():
            for late, now in zip(self.target.parameters(), self.local.parameters()):
                late.lerp_(now, 0.2)
        return loss.item()


def play(agent, rng, length=8):
    state, total = torch.randn(3, generator=rng), 0.0
    for _ in range(length):
        act = agent.act(state)
        after = 0.8 * state + (2 * act - 1) * torch.randn(3, generator=rng)
        agent.memory.append(Seen(state, act, -after.abs().sum().item(), after))
        state = after
        if len(agent.memory) >= 6:
            total += agent.learn()
    agent.rates.step()
    return total


def main():
    torch.manual_seed(6)
    agent, rng = Agent(), torch.Generator().manual_seed(1)
    for game in range(3):
        print(game, f"{play(agent, rng):.4f}")
    return agent.local, agent.target
""",
    ("missing-train-mode", "scheduler-before-optimizer"),
)

L_SLEEP = ("        self.local.train()\n        return int", "        return int")
L_CLEAR = "        self.optimizer.zero_grad()\n"
L_CLIP = "        nn.utils.clip_grad_norm_(self.local.parameters(), 0.1)\n"
L_STEP = "        self.optimizer.step()\n"
L_RATES = "    agent.rates.step()\n"


def replay() -> Iterator[Case]:
    yield REPLAY.right("awake-behind-each-choice")
    yield REPLAY.right(
        "woken-where-it-learns",
        L_SLEEP,
        ("        values = self.local(torch", "        self.local.train()\n        values = self.local(torch"),
    )
    yield REPLAY.right(
        "the-late-one-chooses",
        L_SLEEP,
        ("        self.local.eval()\n", ""),
        ("values = self.local(state)", "values = self.target(state)"),
    )
    yield REPLAY.right(
        "rate-moves-with-each-lesson",
        (L_RATES, ""),
        (L_STEP, L_STEP + "        self.rates.step()\n"),
        ("ExponentialLR(self.optimizer, 0.8)", "ExponentialLR(self.optimizer, 0.97)"),
        tempts=("scheduler-per-micro-batch",),
    )
    yield REPLAY.wrong("asleep-behind-the-first-choice", (L_SLEEP,), tempts=("missing-train-mode",))
    yield REPLAY.wrong(
        "waking-is-only-named",
        (("        self.local.train()\n", "        self.local.train\n"),),
        tempts=("method-not-called", "missing-train-mode"),
    )
    yield REPLAY.wrong("clip-behind-the-lesson", ((L_CLIP + L_STEP, L_STEP + L_CLIP),), tempts=("clip-after-step",))
    yield REPLAY.wrong(
        "cleared-once-a-game",
        ((L_CLEAR, ""), ("    state, total = torch", "    agent.optimizer.zero_grad()\n    state, total = torch")),
        tempts=("missing-zero-grad",),
    )
    yield REPLAY.wrong(
        "losses-with-graphs-and-clip-behind",
        (("        return loss.item()", "        return loss"),),
        ((L_CLIP + L_STEP, L_STEP + L_CLIP),),
        tempts=("loss-graph-leak", "clip-after-step"),
    )


PEERS = Draft(
    "peers-that-bargain",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def peer(inputs):
    return nn.Sequential(nn.Linear(inputs, 8), nn.Tanh(), nn.Linear(8, 1))


class Bargain:
    def __init__(self, names=("seller", "buyer")):
        self.nets = {name: peer(size) for name, size in zip(names, (3, 4))}
        self.optims = {name: torch.optim.SGD(net.parameters(), lr=0.1) for name, net in self.nets.items()}
        self.rates = {name: torch.optim.lr_scheduler.StepLR(optim, 2, 0.5) for name, optim in self.optims.items()}

    def worth(self, goods, offer):
        return self.nets["buyer"](torch.cat((goods, offer), 1))

    def sell(self, goods):
        self.optims["seller"].zero_grad()
        offer = self.nets["seller"](goods)
        loss = 0.2 * offer.pow(2).mean() - self.worth(goods, offer).mean()
        loss.backward()
        self.optims["seller"].step()
        return loss.item()

    def buy(self, goods):
        with torch.no_grad():
            offer = self.nets["seller"](goods)
        self.optims["buyer"].zero_grad()
        loss = (self.worth(goods, offer) + offer - goods.sum(1, keepdim=True)).pow(2).mean()
        loss.backward()
        nn.utils.clip_grad_norm_(self.nets["buyer"].parameters(), 1.0)
        self.optims["buyer"].step()
        return loss.item()

    def meet(self, rounds):
        for turn in range(rounds):
            goods = torch.randn(6, 3)
            print(turn, f"{self.sell(goods):.4f}", f"{self.buy(goods):.4f}")
            for rate in self.rates.values():
                rate.step()


def main():
    torch.manual_seed(9)
    bargain = Bargain()
    bargain.meet(5)
    return bargain.nets["seller"], bargain.nets["buyer"]
""",
    ("missing-zero-grad", "zero-grad-before-step"),
)

B_SELLER = '        self.optims["seller"].zero_grad()\n'
B_BUYER = '        self.optims["buyer"].zero_grad()\n'
B_SOLD = '        self.optims["seller"].step()\n'
B_CLIP = '        nn.utils.clip_grad_norm_(self.nets["buyer"].parameters(), 1.0)\n'
B_BOUGHT = '        self.optims["buyer"].step()\n'
B_GOODS = "            goods = torch.randn(6, 3)\n"
B_RATES = "            for rate in self.rates.values():\n                rate.step()\n"


def peers() -> Iterator[Case]:
    yield PEERS.right("each-clears-before-its-turn")
    yield PEERS.right(
        "buyer-held-still-while-the-other-sells",
        (B_BUYER, ""),
        (B_SELLER, B_SELLER + '        self.nets["buyer"].requires_grad_(False)\n'),
        (B_SOLD, B_SOLD + '        self.nets["buyer"].requires_grad_(True)\n'),
        (B_BOUGHT, B_BOUGHT + B_BUYER),
    )
    yield PEERS.right(
        "all-cleared-ahead-of-each",
        (B_SELLER, "        self.clear()\n"),
        (B_BUYER, "        self.clear()\n"),
        (
            "    def sell(",
            (
                "    def clear(self):\n        for optim in self.optims.values():\n            optim.zero_grad()\n\n"
                "    def sell("
            ),
        ),
    )
    yield PEERS.right(
        "buyer-is-wiped-behind-the-sale",
        (B_BUYER, ""),
        (B_SOLD, B_BUYER + B_SOLD),
        (B_BOUGHT, B_BOUGHT + B_BUYER),
        tempts=("zero-grad-before-step",),
    )
    yield PEERS.wrong(
        "what-the-sale-left-behind", ((B_BUYER, ""), (B_BOUGHT, B_BOUGHT + B_BUYER)), tempts=("missing-zero-grad",)
    )
    yield PEERS.wrong("seller-never-clears", ((B_SELLER, ""),), tempts=("missing-zero-grad",))
    yield PEERS.wrong(
        "rates-move-first", ((B_RATES, ""), (B_GOODS, B_RATES + B_GOODS)), tempts=("scheduler-before-optimizer",)
    )
    yield PEERS.wrong(
        "clip-behind-the-purchase-and-wiped-sale",
        ((B_CLIP + B_BOUGHT, B_BOUGHT + B_CLIP),),
        ((B_SELLER, ""), (B_SOLD, B_SELLER + B_SOLD)),
        tempts=("clip-after-step", "zero-grad-before-step"),
    )


LATE = Draft(
    "pilot-with-a-late-actor",
    """\
import copy

import torch
from torch import nn

DELAY = 2


def mlp(inputs, outputs):
    return nn.Sequential(nn.Linear(inputs, 12), nn.Tanh(), nn.Linear(12, outputs))


class Pilot:
    def __init__(self):
        self.actor, self.critic = mlp(3, 1), mlp(4, 1)
        self.late = copy.deepcopy(nn.ModuleList((self.actor, self.critic)))
        self.actor_opt = torch.optim.SGD(self.actor.parameters(), lr=0.05)
        self.critic_opt = torch.optim.SGD(self.critic.parameters(), lr=0.1, momentum=0.5)

    @torch.no_grad()
    def wanted(self, rewards, after):
        actor, critic = self.late
        return rewards + 0.9 * critic(torch.cat((after, actor(after)), 1))

    @torch.no_grad()
    def follow(self):
        for late, now in zip(self.late, (self.actor, self.critic)):
            for slow, fast in zip(late.parameters(), now.parameters()):
                slow.lerp_(fast, 0.1)


def learn(pilot, scaler, turn, states, acts, rewards, after):
    critic_loss = nn.functional.mse_loss(pilot.critic(torch.cat((states, acts), 1)), pilot.wanted(rewards, after))
    pilot.critic_opt.zero_grad()
    scaler.scale(critic_loss).backward()
    scaler.unscale_(pilot.critic_opt)
    nn.utils.clip_grad_norm_(pilot.critic.parameters(), 0.5)
    scaler.step(pilot.critic_opt)
    if turn % DELAY == 0:
        actor_loss = -pilot.critic(torch.cat((states, pilot.actor(states)), 1)).mean()
        pilot.actor_opt.zero_grad()
        scaler.scale(actor_loss).backward()
        scaler.step(pilot.actor_opt)
        pilot.follow()
    scaler.update()
    return critic_loss.item()


def main():
    torch.manual_seed(16)
    pilot, scaler = Pilot(), torch.amp.GradScaler("cpu", init_scale=64.0, growth_interval=3)
    losses = []
    for turn in range(1, 8):
        states, acts, rewards, after = (torch.randn(5, size) for size in (3, 1, 1, 3))
        if turn == 4:
            rewards[0] = 1e38
        losses.append(learn(pilot, scaler, turn, states, acts, rewards, after))
    print(*(f"{loss:.3e}" for loss in losses), scaler.get_scale())
    return pilot.actor, pilot.critic
""",
    ("step-bypasses-scaler", "missing-scaler-update"),
)

P_UNSCALE = "    scaler.unscale_(pilot.critic_opt)\n"
P_CRITIC = "    scaler.step(pilot.critic_opt)\n"
P_CLEAR = "    pilot.critic_opt.zero_grad()\n"
P_UPDATE = "    scaler.update()\n"
P_ACTOR = "        scaler.scale(actor_loss).backward()\n        scaler.step(pilot.actor_opt)\n"


def late() -> Iterator[Case]:
    yield LATE.right("one-update-for-both")
    yield LATE.right(
        "actor-needs-no-scale",
        (P_ACTOR, "        actor_loss.backward()\n        pilot.actor_opt.step()\n"),
        tempts=("step-bypasses-scaler", "unscaled-backward"),
    )
    yield LATE.right(
        "update-behind-each",
        (P_CRITIC, P_CRITIC + P_UPDATE),
        ("        pilot.follow()\n    scaler.update()\n", "        scaler.update()\n        pilot.follow()\n"),
        tempts=("missing-scaler-update", "zero-grad-before-step"),
    )
    yield LATE.wrong("clip-of-scaled-ones", ((P_UNSCALE, ""),), tempts=("clip-scaled-gradients",))
    yield LATE.wrong(
        "critic-steps-by-itself", ((P_CRITIC, "    pilot.critic_opt.step()\n"),), tempts=("step-bypasses-scaler",)
    )
    yield LATE.wrong(
        "actor-goes-back-unscaled",
        ((P_ACTOR, P_ACTOR.replace("scaler.scale(actor_loss)", "actor_loss")),),
        tempts=("unscaled-backward",),
    )
    yield LATE.wrong(
        "update-only-with-the-actor",
        (("        pilot.follow()\n    scaler.update()\n", "        scaler.update()\n        pilot.follow()\n"),),
        tempts=("missing-scaler-update",),
        raises="RuntimeError",
    )
    yield LATE.wrong(
        "actor-leaves-something-in-the-critic",
        ((P_CLEAR, ""), (P_CRITIC, P_CRITIC + P_CLEAR)),
        tempts=("missing-zero-grad",),
    )


def cases() -> Iterator[Case]:
    yield from returns()
    yield from replay()
    yield from peers()
    yield from late()
