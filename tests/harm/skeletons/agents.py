"""Reinforcement learning and losses of several owners: soft actor-critic, policy gradients, mixtures of experts, reptile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

SAC = Draft(
    "soft-actor-critic",
    """\
import copy
import random
from collections import deque, namedtuple
from itertools import chain

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
Transition = namedtuple("Transition", "s a r s2 d")


class Replay:
    def __init__(self, capacity):
        self.rows = deque(maxlen=capacity)

    def push(self, *row):
        self.rows.append(Transition(*row))

    def sample(self, n):
        return Transition(*(torch.stack(c) for c in zip(*random.sample(self.rows, n))))


class Agent:
    def __init__(self, gamma=0.9, polyak=0.8):
        self.pi = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 2))
        self.q1, self.q2 = (nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1)) for _ in range(2))
        self.q1_targ, self.q2_targ = copy.deepcopy(self.q1), copy.deepcopy(self.q2)
        self.log_alpha = nn.Parameter(torch.zeros(1))
        self.pi_optimizer = torch.optim.Adam(self.pi.parameters(), lr=3e-2)
        self.q_optimizer = torch.optim.SGD(chain(self.q1.parameters(), self.q2.parameters()), lr=3e-2)
        self.alpha_optimizer = torch.optim.Adam([self.log_alpha], lr=1e-2)
        self.gamma, self.polyak = gamma, polyak

    def act(self, s):
        a = torch.tanh(self.pi(s))
        return a, -a.pow(2).sum(-1)

    def loss_q(self, b):
        with torch.no_grad():
            a2, logp = self.act(b.s2)
            x = torch.cat([b.s2, a2], -1)
            q = torch.min(self.q1_targ(x), self.q2_targ(x)).squeeze(-1) - self.log_alpha.exp() * logp
            backup = b.r + self.gamma * (1 - b.d) * q
        x = torch.cat([b.s, b.a], -1)
        return F.mse_loss(self.q1(x).squeeze(-1), backup) + F.mse_loss(self.q2(x).squeeze(-1), backup)

    def loss_pi(self, b):
        a, logp = self.act(b.s)
        x = torch.cat([b.s, a], -1)
        return (self.log_alpha.exp().detach() * logp - torch.min(self.q1(x), self.q2(x)).squeeze(-1)).mean(), logp

    def update(self, b, t):
        self.q_optimizer.zero_grad()
        loss_q = self.loss_q(b)
        loss_q.backward()
        nn.utils.clip_grad_norm_(chain(self.q1.parameters(), self.q2.parameters()), 0.3)
        self.q_optimizer.step()
        if t % 2 == 0:
            self.pi_optimizer.zero_grad()
            loss_pi, logp = self.loss_pi(b)
            loss_pi.backward()
            self.pi_optimizer.step()
            self.alpha_optimizer.zero_grad()
            (-self.log_alpha * (logp.detach() - 1).mean()).backward()
            self.alpha_optimizer.step()
            with torch.no_grad():
                for n, o in ((self.q1_targ, self.q1), (self.q2_targ, self.q2)):
                    for p, q in zip(n.parameters(), o.parameters()):
                        p.mul_(self.polyak).add_((1 - self.polyak) * q)
        return loss_q.item()


def main():
    random.seed(4)
    agent, replay = Agent(), Replay(50)
    s = torch.zeros(3)
    returns = []
    for t in range(14):
        with torch.no_grad():
            a, _ = agent.act(s)
        s2 = (s + torch.cat([a, a.sum(-1, keepdim=True)])).cos()
        replay.push(s, a, -s2.norm(), s2, torch.tensor(float(t % 5 == 4)))
        s = s2
        if t < 5:
            continue
        returns.append(agent.update(replay.sample(4), t))
    print(f"{sum(returns) / len(returns):.4f}")
    return agent.pi, agent.q1, agent.q2
""",
    ("missing-zero-grad",),
)

Q_CLEAR = "        self.q_optimizer.zero_grad()\n"
Q_CLIP = "        nn.utils.clip_grad_norm_(chain(self.q1.parameters(), self.q2.parameters()), 0.3)\n"
Q_STEP = "        self.q_optimizer.step()\n"
PI_CLEAR = "            self.pi_optimizer.zero_grad()\n"


def soft_actor_critic() -> Iterator[Case]:
    loops = SAC
    yield loops.right("policy-fills-the-critics", tempts=("missing-zero-grad", "zero-grad-in-accumulation"))
    yield loops.wrong("critics-never-cleared", ((Q_CLEAR, ""),))
    yield loops.wrong(
        "critics-cleared-behind-the-step",
        ((Q_CLEAR, ""), (Q_STEP, Q_STEP + Q_CLEAR)),
    )
    yield loops.wrong("policy-never-cleared", ((PI_CLEAR, ""),))
    yield loops.wrong("critics-clip-behind", ((Q_CLIP, ""), (Q_STEP, Q_STEP + Q_CLIP)), tempts=("clip-after-step",))
    yield loops.wrong(
        "chain-kept",
        (
            (
                "        self.gamma, self.polyak = gamma, polyak\n",
                "        self.q_params = chain(self.q1.parameters(), self.q2.parameters())\n        self.gamma, self.polyak = gamma, polyak\n",
            ),
            ("(chain(self.q1.parameters(), self.q2.parameters()), 0.3)", "(self.q_params, 0.3)"),
        ),
        tempts=("clip-exhausted-parameters",),
    )
    yield loops.right(
        "critics-frozen-for-the-policy",
        (
            "            loss_pi, logp",
            "            for p in chain(self.q1.parameters(), self.q2.parameters()):\n                p.requires_grad_(False)\n            loss_pi, logp",
        ),
        (
            "            self.pi_optimizer.step()\n",
            "            self.pi_optimizer.step()\n            for p in chain(self.q1.parameters(), self.q2.parameters()):\n                p.requires_grad_(True)\n",
        ),
        (Q_CLEAR, ""),
        (Q_STEP, Q_STEP + Q_CLEAR),
        tempts=("missing-zero-grad",),
    )


REINFORCE = Draft(
    "policy-gradient",
    """\
import torch
from torch import nn
from torch.distributions import Categorical

torch.set_default_dtype(torch.float64)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine = nn.Linear(4, 12)
        self.action_head = nn.Linear(12, 2)
        self.value_head = nn.Linear(12, 1)
        self.saved = []
        self.rewards = []

    def forward(self, x):
        x = torch.relu(self.affine(x))
        return self.action_head(x).softmax(-1), self.value_head(x)


def select_action(model, state):
    probs, value = model(state)
    m = Categorical(probs)
    action = probs.argmax()
    model.saved.append((m.log_prob(action), value, m.entropy()))
    return action.item()


def finish_episode(model, optimizer, gamma=0.9):
    R, returns = 0.0, []
    for r in model.rewards[::-1]:
        R = r + gamma * R
        returns.insert(0, R)
    policy_losses, value_losses = [], []
    for (log_prob, value, entropy), R in zip(model.saved, returns):
        policy_losses.append(-log_prob * (R - value.item()) - 0.01 * entropy)
        value_losses.append(nn.functional.smooth_l1_loss(value, torch.tensor([R])))
    optimizer.zero_grad()
    loss = torch.stack(policy_losses).sum() + torch.stack(value_losses).sum()
    loss.backward()
    optimizer.step()
    del model.rewards[:]
    del model.saved[:]
    return loss.item()


def main():
    model = Policy()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    running = 0.0
    for episode in range(6):
        state = torch.linspace(-1, 1, 4) * (episode + 1)
        for t in range(4):
            action = select_action(model, state)
            state = torch.sin(state + action)
            reward = state.mean().item()
            model.rewards.append(reward)
            if reward > 0.6:
                break
        loss = finish_episode(model, optimizer)
        running = 0.9 * running + 0.1 * loss
        print(episode, t, f"{running:.4f}")
    return model
""",
    ("loss-graph-leak",),
)


def policy_gradient() -> Iterator[Case]:
    loops = REINFORCE
    yield loops.right("saved-until-the-end", tempts=("loss-graph-leak", "unscaled-accumulation-loss"))
    yield loops.wrong(
        "running-with-graph",
        (("    return loss.item()", "    return loss"), ("{running:.4f}", "{float(running):.4f}")),
        fine=((("    return loss.item()", "    return loss.detach()"), ("{running:.4f}", "{float(running):.4f}")),),
    )
    yield loops.right(
        "episodes-are-a-batch",
        ("    optimizer.zero_grad()\n    loss =", "    loss ="),
        ("    optimizer.step()\n", ""),
        (
            "        running = 0.9",
            "        if episode % 3 == 2:\n            optimizer.step()\n            optimizer.zero_grad()\n        running = 0.9",
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield loops.right(
        "greedy-episode-throws-its-graph-away",
        (
            "        loss = finish_episode(model, optimizer)\n",
            "        if episode == 3:\n            print('shown only', sum(v.item() for _, v, _ in model.saved))\n            model.saved.clear()\n            model.rewards.clear()\n            continue\n        loss = finish_episode(model, optimizer)\n",
        ),
        tempts=("loss-graph-leak", "validation-without-no-grad"),
    )
    yield loops.wrong(
        "cleared-behind-the-backward",
        (
            ("    optimizer.zero_grad()\n    loss =", "    loss ="),
            ("    loss.backward()\n", "    loss.backward()\n    optimizer.zero_grad()\n"),
        ),
        tempts=("zero-grad-before-step",),
    )
    yield loops.right(
        "cleared-by-none",
        (
            "    optimizer.zero_grad()\n    loss =",
            "    for p in model.parameters():\n        p.grad = None\n    loss =",
        ),
        tempts=("missing-zero-grad",),
    )


MOE = Draft(
    "mixture-of-experts",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class MoE(nn.Module):
    def __init__(self, dim=6, experts=4, k=2):
        super().__init__()
        self.router = nn.Linear(dim, experts)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(dim, 8), nn.GELU(), nn.Linear(8, dim)) for _ in range(experts))
        self.k = k
        self.aux_loss = None
        self.register_buffer("load", torch.zeros(experts))

    def forward(self, x):
        gates = self.router(x).softmax(-1)
        weight, index = gates.topk(self.k, dim=-1)
        y = torch.zeros_like(x)
        for e, expert in enumerate(self.experts):
            rows, slot = (index == e).nonzero(as_tuple=True)
            if len(rows):
                y = y.index_add(0, rows, expert(x[rows]) * weight[rows, slot, None])
        used = nn.functional.one_hot(index, len(self.experts)).sum(1).double().mean(0)
        self.aux_loss = len(self.experts) * (gates.mean(0) * used).sum()
        self.load += used
        return x + y


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(MoE(), MoE())
        self.head = nn.Linear(6, 1)

    def forward(self, x):
        return self.head(self.blocks(x))

    def balance(self):
        return sum(b.aux_loss for b in self.blocks)


def main():
    model = Net()
    routers = [p for n, p in model.named_parameters() if "router" in n]
    rest = [p for n, p in model.named_parameters() if "router" not in n]
    opt = torch.optim.SGD(rest, lr=0.05)
    router_opt = torch.optim.SGD(routers, lr=0.5)
    data = [(torch.randn(6, 6), torch.randn(6, 1)) for _ in range(8)]
    window, history = 2, []
    for epoch in range(2):
        for i, (x, y) in enumerate(data):
            task = nn.functional.mse_loss(model(x), y)
            aux = 0.05 * model.balance()
            ((task + aux) / window).backward()
            history.append((task.item(), aux.item()))
            if i % window == window - 1:
                norm = nn.utils.clip_grad_norm_(rest, 0.5)
                opt.step()
                router_opt.step()
                opt.zero_grad()
                router_opt.zero_grad()
                print(epoch, i, f"{norm:.4f}", f"{sum(a for _, a in history[-window:]):.4f}")
    return model
""",
    ("unscaled-accumulation-loss", "missing-zero-grad"),
)

M_BACK = "            ((task + aux) / window).backward()\n"


def mixture_of_experts() -> Iterator[Case]:
    loops = MOE
    yield loops.right(
        "aux-in-a-backward-of-its-own",
        (M_BACK, "            (task / window).backward(retain_graph=True)\n            (aux / window).backward()\n"),
    )
    yield loops.wrong("nothing-divided", ((M_BACK, "            (task + aux).backward()\n"),))
    yield loops.wrong("routers-never-cleared", (("                router_opt.zero_grad()\n", ""),))
    yield loops.right(
        "routers-every-other-window",
        (
            "                router_opt.step()\n",
            "                if i % (2 * window) == 2 * window - 1:\n                    for p in routers:\n                        p.grad.div_(2)\n                    router_opt.step()\n                    router_opt.zero_grad()\n",
        ),
        ("                router_opt.zero_grad()\n                print", "                print"),
        tempts=("missing-zero-grad", "unscaled-accumulation-loss"),
    )
    yield loops.wrong(
        "task-kept-with-graph",
        (("(task.item(), aux.item())", "(task, aux.item())"),),
        fine=((("(task.item(), aux.item())", "(task.detach(), aux.item())"),),),
        tempts=("loss-graph-leak",),
    )
    yield loops.right(
        "routers-cleared-by-the-model",
        (
            "                opt.zero_grad()\n                router_opt.zero_grad()\n",
            "                model.zero_grad(set_to_none=False)\n",
        ),
        tempts=("missing-zero-grad",),
    )
    yield loops.right(
        "steps-when-the-next-window-begins",
        (
            "            task = nn",
            """            if i % window == 0 and history:
                norm = nn.utils.clip_grad_norm_(rest, 0.5)
                opt.step()
                router_opt.step()
                opt.zero_grad()
                router_opt.zero_grad()
                print(epoch, i, f"{norm:.4f}")
            task = nn""",
        ),
        (
            """            if i % window == window - 1:
                norm = nn.utils.clip_grad_norm_(rest, 0.5)
                opt.step()
                router_opt.step()
                opt.zero_grad()
                router_opt.zero_grad()
                print(epoch, i, f"{norm:.4f}", f"{sum(a for _, a in history[-window:]):.4f}")
""",
            "",
        ),
        (
            "    return model\n",
            "    nn.utils.clip_grad_norm_(rest, 0.5)\n    opt.step()\n    router_opt.step()\n    return model\n",
        ),
        tempts=("accumulation-off-by-one", "clip-before-backward", "zero-grad-in-accumulation"),
    )


REPTILE = Draft(
    "reptile",
    """\
from copy import deepcopy

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def tasks(n, gen):
    for _ in range(n):
        phase = torch.rand(1, generator=gen) * 3
        x = torch.rand(10, 1, generator=gen) * 4 - 2
        yield x, torch.sin(x + phase)


def adapt(net, x, y, lr=0.05, steps=3):
    inner = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(steps):
        inner.zero_grad()
        loss = (net(x) - y).square().mean()
        loss.backward()
        inner.step()
    return loss.item()


def main():
    gen = torch.Generator().manual_seed(8)
    net = nn.Sequential(nn.Linear(1, 10), nn.Tanh(), nn.Linear(10, 1))
    meta = torch.optim.Adam(net.parameters(), lr=0.03)
    anneal = torch.optim.lr_scheduler.LinearLR(meta, 1.0, 0.2, total_iters=5)
    for outer in range(5):
        meta.zero_grad()
        total = 0.0
        for x, y in tasks(3, gen):
            fast = deepcopy(net)
            total += adapt(fast, x, y)
            for p, q in zip(net.parameters(), fast.parameters()):
                if p.grad is None:
                    p.grad = torch.zeros_like(p)
                p.grad.add_(p.data - q.data, alpha=1 / 3)
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        meta.step()
        anneal.step()
        print(outer, f"{total / 3:.4f}")
    return net
""",
    ("clip-before-backward", "missing-zero-grad"),
)


def reptile() -> Iterator[Case]:
    loops = REPTILE
    yield loops.right("gradients-by-hand", tempts=("clip-before-backward", "zero-grad-before-step"))
    yield loops.right(
        "cleared-behind-the-step",
        ("        meta.zero_grad()\n", ""),
        ("        meta.step()\n", "        meta.step()\n        meta.zero_grad()\n"),
    )
    yield loops.wrong("inner-never-cleared", (("        inner.zero_grad()\n", ""),))
    yield loops.right(
        "inner-cleared-by-a-new-copy",
        ("    for _ in range(steps):\n        inner.zero_grad()\n        loss", "    for _ in range(1):\n        loss"),
        tempts=("missing-zero-grad",),
    )
    yield loops.wrong(
        "schedule-in-front",
        (
            ("        anneal.step()\n", ""),
            ("        meta.zero_grad()\n", "        meta.zero_grad()\n        anneal.step()\n"),
        ),
        tempts=("scheduler-before-optimizer",),
    )
    yield loops.right(
        "adapts-in-place-and-goes-back",
        (
            "            fast = deepcopy(net)\n",
            "            before = deepcopy(net.state_dict())\n            fast = net\n            held = [torch.zeros_like(p) if p.grad is None else p.grad.clone() for p in net.parameters()]\n",
        ),
        (
            "            for p, q in zip(net.parameters(), fast.parameters()):\n                if p.grad is None:\n                    p.grad = torch.zeros_like(p)\n                p.grad.add_(p.data - q.data, alpha=1 / 3)\n",
            (
                "            for (name, p), h in zip(net.named_parameters(), held):\n                p.grad = h.add(before[name] - p.data, alpha=1 / 3)\n            net.load_state_dict(before)\n"
            ),
        ),
        tempts=("missing-zero-grad", "zero-grad-in-accumulation"),
    )


def cases() -> Iterator[Case]:
    yield from soft_actor_critic()
    yield from policy_gradient()
    yield from mixture_of_experts()
    yield from reptile()
