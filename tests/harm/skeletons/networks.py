"""Several networks and losses in one loop: shared graphs, actors and critics, parts that take turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

SHARED_GRAPH = Draft(
    "two-losses-one-graph",
    """\
import torch
import torch.nn.functional as F
from torch import nn


def main():
    torch.set_default_dtype(torch.float64)
    trunk = nn.Sequential(nn.Linear(5, 8), nn.ReLU())
    classify, rotate = nn.Linear(8, 3), nn.Linear(8, 4)
    opt_main = torch.optim.SGD([*trunk.parameters(), *classify.parameters()], lr=0.1, momentum=0.9)
    opt_aux = torch.optim.SGD(rotate.parameters(), lr=0.05)
    batches = [(torch.randn(4, 5), torch.randint(0, 3, (4,)), torch.randint(0, 4, (4,))) for _ in range(8)]
    history = []
    for epoch in range(2):
        for x, label, rotation in batches:
            h = trunk(x)
            loss = F.cross_entropy(classify(h), label)
            loss_aux = F.cross_entropy(rotate(h), rotation)
            opt_main.zero_grad()
            opt_aux.zero_grad()
            loss.backward(retain_graph=True)
            loss_aux.backward()
            opt_main.step()
            opt_aux.step()
            history.append((loss.item(), loss_aux.item()))
        means = [sum(column) / len(column) for column in zip(*history)]
        print(epoch, f"{means[0]:.5f} {means[1]:.5f}")
    return trunk, classify, rotate
""",
    ("missing-zero-grad", "zero-grad-before-step", "loss-graph-leak"),
)

TWO_BACKWARDS = "            loss.backward(retain_graph=True)\n            loss_aux.backward()\n"
ZEROS = "            opt_main.zero_grad()\n            opt_aux.zero_grad()\n"
STEPS = "            opt_main.step()\n            opt_aux.step()\n"


def shared_graph() -> Iterator[Case]:
    yield SHARED_GRAPH.right("both-into-the-trunk")
    yield SHARED_GRAPH.right("summed", (TWO_BACKWARDS, "            (loss + loss_aux).backward()\n"))
    yield SHARED_GRAPH.right(
        "aux-kept-from-the-trunk",
        ("rotate(h), rotation", "rotate(h.detach()), rotation"),
        (
            ZEROS + TWO_BACKWARDS + STEPS,
            """\
            opt_aux.zero_grad()
            loss_aux.backward()
            opt_aux.step()
            opt_main.zero_grad()
            loss.backward()
            opt_main.step()
""",
        ),
    )
    yield SHARED_GRAPH.right(
        "aux-first-and-cleared",
        (
            ZEROS + TWO_BACKWARDS + STEPS,
            """\
            opt_aux.zero_grad()
            loss_aux.backward(retain_graph=True)
            opt_main.zero_grad()
            loss.backward()
            opt_aux.step()
            opt_main.step()
""",
        ),
        tempts=("zero-grad-in-accumulation",),
    )
    yield SHARED_GRAPH.wrong("aux-never-cleared", (("            opt_aux.zero_grad()\n", ""),))
    yield SHARED_GRAPH.wrong(
        "main-cleared-between",
        (
            (ZEROS, "            opt_aux.zero_grad()\n"),
            (
                TWO_BACKWARDS,
                TWO_BACKWARDS.replace("            loss_aux", "            opt_main.zero_grad()\n            loss_aux"),
            ),
        ),
    )
    yield SHARED_GRAPH.wrong(
        "cleared-before-the-step", ((ZEROS, ""), (STEPS, ZEROS + STEPS)), tempts=("zero-grad-before-step",)
    )
    yield SHARED_GRAPH.wrong(
        "losses-kept-with-their-graph",
        (
            ("history.append((loss.item(), loss_aux.item()))", "history.append((loss, loss_aux))"),
            ('f"{means[0]:.5f}', 'f"{means[0].item():.5f}'),
            (" {means[1]:.5f}", " {means[1].item():.5f}"),
        ),
        tempts=("loss-graph-leak",),
    )


ACTOR = Draft(
    "ppo-minibatches",
    """\
import torch
from torch import nn
from torch.distributions import Categorical


class ActorCritic(nn.Module):
    def __init__(self, n_obs=4, n_actions=3):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_obs, 12), nn.Tanh())
        self.policy = nn.Linear(12, n_actions)
        self.value = nn.Linear(12, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Categorical(logits=self.policy(h)), self.value(h).squeeze(-1)


def collect(model, steps=16):
    with torch.no_grad():
        obs = torch.randn(steps, 4)
        dist, value = model(obs)
        action = dist.sample()
        reward = (action == obs[:, :3].argmax(dim=1)).float()
        return obs, action, dist.log_prob(action), reward - value, reward


def update(model, optimizer, rollout, epochs, minibatch, clip, max_grad_norm):
    obs, action, old_log_prob, advantage, returns = rollout
    for _ in range(epochs):
        for idx in torch.randperm(len(obs)).split(minibatch):
            dist, value = model(obs[idx])
            ratio = (dist.log_prob(action[idx]) - old_log_prob[idx]).exp()
            adv = advantage[idx]
            policy_loss = -torch.min(ratio * adv, ratio.clamp(1 - clip, 1 + clip) * adv).mean()
            value_loss = (value - returns[idx]).square().mean()
            loss = policy_loss + 0.5 * value_loss - 0.01 * dist.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)
            optimizer.step()


def main():
    model = ActorCritic()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02, eps=1e-5)
    for iteration in range(3):
        rollout = collect(model)
        update(model, optimizer, rollout, epochs=2, minibatch=8, clip=0.2, max_grad_norm=0.5)
        print(iteration, f"reward {rollout[-1].mean():.3f}")
    return model
""",
    ("clip-after-step", "unscaled-accumulation-loss", "missing-zero-grad"),
)

CLIPPED = "            nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)\n"
LEARNT = "            optimizer.zero_grad()\n            loss.backward()\n"
WHOLE = """\
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)
            optimizer.step()
"""


def actor() -> Iterator[Case]:
    yield ACTOR.right("minibatches")
    yield ACTOR.right(
        "stops-when-far",
        (
            WHOLE,
            '            if (ratio - 1).abs().mean() > 0.15:\n                print("stop")\n                return\n'
            + WHOLE,
        ),
    )
    yield ACTOR.right(
        "whole-rollout-an-update",
        (
            WHOLE,
            (
                "            (loss * len(idx) / len(obs)).backward()\n"
                """\
        nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)
        optimizer.step()
        optimizer.zero_grad()
"""
            ),
        ),
    )
    yield ACTOR.wrong(
        "clip-after-the-step",
        ((CLIPPED + "            optimizer.step()\n", "            optimizer.step()\n" + CLIPPED),),
    )
    yield ACTOR.wrong("never-cleared", (("            optimizer.zero_grad()\n", ""),))
    yield ACTOR.right(
        "value-then-policy",
        (
            "            loss = policy_loss + 0.5 * value_loss - 0.01 * dist.entropy().mean()\n" + LEARNT,
            """\
            optimizer.zero_grad()
            (0.5 * value_loss).backward(retain_graph=True)
            (policy_loss - 0.01 * dist.entropy().mean()).backward()
""",
        ),
    )


TWINS = Draft(
    "twin-critics",
    """\
import copy

import torch
import torch.nn.functional as F
from torch import nn


def critic():
    return nn.Sequential(nn.Linear(5, 10), nn.ReLU(), nn.Linear(10, 1))


class Agent:
    def __init__(self):
        self.actor = nn.Sequential(nn.Linear(4, 10), nn.ReLU(), nn.Linear(10, 1), nn.Tanh())
        self.q1, self.q2 = critic(), critic()
        self.targets = [copy.deepcopy(q) for q in (self.q1, self.q2)]
        self.actor_optimizer = torch.optim.SGD(self.actor.parameters(), lr=0.05)
        self.critic_optimizers = [torch.optim.SGD(q.parameters(), lr=0.05) for q in (self.q1, self.q2)]
        self.updates = 0

    def learn(self, obs, action, reward, next_obs):
        with torch.no_grad():
            following = torch.cat([next_obs, self.actor(next_obs)], dim=1)
            best = torch.min(*(target(following) for target in self.targets))
            goal = reward + 0.9 * best
        taken = torch.cat([obs, action], dim=1)
        for q, optimizer in zip((self.q1, self.q2), self.critic_optimizers):
            optimizer.zero_grad()
            F.mse_loss(q(taken), goal).backward()
            optimizer.step()
        self.updates += 1
        if self.updates % 2 == 0:
            self.actor_optimizer.zero_grad()
            actor_loss = -self.q1(torch.cat([obs, self.actor(obs)], dim=1)).mean()
            actor_loss.backward()
            self.actor_optimizer.step()
            with torch.no_grad():
                for target, q in zip(self.targets, (self.q1, self.q2)):
                    for old, new in zip(target.parameters(), q.parameters()):
                        old.mul_(0.95).add_(0.05 * new)
            return actor_loss.item()
        return None


def main():
    agent = Agent()
    memory = [(torch.randn(4, 4), torch.rand(4, 1), torch.randn(4, 1), torch.randn(4, 4)) for _ in range(8)]
    for epoch in range(2):
        losses = [loss for loss in (agent.learn(*batch) for batch in memory) if loss is not None]
        print(epoch, f"{sum(losses) / len(losses):.5f}")
    return agent.actor, agent.q1, agent.q2
""",
    ("missing-zero-grad", "zero-grad-in-accumulation", "unscaled-accumulation-loss"),
)

CRITICS = """\
        for q, optimizer in zip((self.q1, self.q2), self.critic_optimizers):
            optimizer.zero_grad()
            F.mse_loss(q(taken), goal).backward()
            optimizer.step()
"""


def twins() -> Iterator[Case]:
    yield TWINS.right("each-its-optimizer")
    yield TWINS.right(
        "one-loss-for-both",
        (
            CRITICS,
            """\
        critic_loss = sum(F.mse_loss(q(taken), goal) for q in (self.q1, self.q2))
        for optimizer in self.critic_optimizers:
            optimizer.zero_grad()
        critic_loss.backward()
        for optimizer in self.critic_optimizers:
            optimizer.step()
""",
        ),
    )
    yield TWINS.wrong(
        "critics-cleared-after-their-step",
        (
            (
                CRITICS,
                CRITICS.replace("            optimizer.zero_grad()\n", "") + "            optimizer.zero_grad()\n",
            ),
        ),
    )
    yield TWINS.wrong("critics-never-cleared", ((CRITICS, CRITICS.replace("            optimizer.zero_grad()\n", "")),))
    yield TWINS.wrong("actor-never-cleared", (("            self.actor_optimizer.zero_grad()\n", ""),))
    yield TWINS.right(
        "critics-cleared-after-their-step-and-spared",
        (CRITICS, CRITICS.replace("            optimizer.zero_grad()\n", "") + "            optimizer.zero_grad()\n"),
        (
            "            self.actor_optimizer.zero_grad()\n",
            "            self.actor_optimizer.zero_grad()\n            self.q1.requires_grad_(False)\n",
        ),
        (
            "            actor_loss.backward()\n",
            "            actor_loss.backward()\n            self.q1.requires_grad_(True)\n",
        ),
    )


TURNS = Draft(
    "parts-that-take-turns",
    """\
import torch
from torch import nn


class Factored(nn.Module):
    def __init__(self):
        super().__init__()
        self.left = nn.Linear(6, 3, bias=False)
        self.right = nn.Linear(3, 6, bias=False)

    def forward(self, x):
        return self.right(self.left(x))


def freeze(module, frozen):
    for p in module.parameters():
        p.requires_grad = not frozen


def main():
    model = Factored()
    optimizers = {
        "left": torch.optim.SGD(model.left.parameters(), lr=0.1, momentum=0.9),
        "right": torch.optim.SGD(model.right.parameters(), lr=0.1, momentum=0.9),
    }
    data = torch.randn(8, 4, 6)
    loss_fn = nn.MSELoss()
    for epoch in range(4):
        active = "left" if epoch % 2 == 0 else "right"
        for name in optimizers:
            freeze(getattr(model, name), frozen=name != active)
        optimizer = optimizers[active]
        for n, x in enumerate(data):
            loss = loss_fn(model(x), x) / 2
            loss.backward()
            if n % 2 == 1:
                optimizer.step()
                optimizer.zero_grad()
        print(epoch, active, f"{2 * loss.item():.5f}")
    return model
""",
    ("missing-zero-grad", "zero-grad-in-accumulation", "missing-train-mode"),
)

TURN = "        for name in optimizers:\n            freeze(getattr(model, name), frozen=name != active)\n"


def turns() -> Iterator[Case]:
    yield TURNS.right("frozen-in-turn")
    yield TURNS.right(
        "not-frozen-all-cleared",
        (TURN, ""),
        ("                optimizer.zero_grad()\n", "                model.zero_grad()\n"),
    )
    yield TURNS.wrong(
        "not-frozen-one-cleared",
        ((TURN, ""),),
        fine=(((TURN, ""), ("                optimizer.zero_grad()\n", "                model.zero_grad()\n")),),
    )
    yield TURNS.wrong(
        "undivided",
        (("x) / 2\n", "x)\n"), ("{2 * loss.item():.5f}", "{loss.item():.5f}")),
        tempts=("unscaled-accumulation-loss",),
    )
    yield TURNS.right(
        "summed-on-purpose",
        ("nn.MSELoss()", 'nn.MSELoss(reduction="sum")'),
        ("x) / 2\n", "x)\n"),
        ("    data = torch.randn(8, 4, 6)\n", "    data = 0.1 * torch.randn(8, 4, 6)\n"),
        tempts=("unscaled-accumulation-loss",),
    )
    yield TURNS.wrong(
        "cleared-each-micro-batch",
        (
            ("                optimizer.zero_grad()\n", ""),
            ("            loss = loss_fn(", "            optimizer.zero_grad()\n            loss = loss_fn("),
        ),
    )


MANY = Draft(
    "optimizers-in-a-dictionary",
    """\
import collections

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def main():
    torch.set_default_dtype(torch.float64)
    networks = nn.ModuleDict({name: nn.Linear(4, 4) for name in ("encoder", "prior", "decoder")})
    optimizers = {name: torch.optim.Adam(net.parameters(), lr=0.01) for name, net in networks.items()}
    schedulers = {name: torch.optim.lr_scheduler.StepLR(o, step_size=3, gamma=0.7) for name, o in optimizers.items()}
    log = collections.defaultdict(list)
    data = torch.randn(10, 3, 4)
    accumulate = 2
    for epoch in range(2):
        for count, x in enumerate(data, start=1):
            z = torch.tanh(networks["encoder"](x))
            reconstruction = (networks["decoder"](z) - x).square().mean()
            surprise = (networks["prior"](x.detach().roll(1, 1)) - z).square().mean()
            ((reconstruction + 0.1 * surprise) / accumulate).backward()
            log["reconstruction"].append(reconstruction.item())
            if count % accumulate:
                continue
            for name, optimizer in optimizers.items():
                norm = clip_grad_norm_(networks[name].parameters(), 0.1 if name == "prior" else 0.4)
                log[name].append(norm.item())
                optimizer.step()
                schedulers[name].step()
            networks.zero_grad()
        print(epoch, {key: round(sum(values) / len(values), 5) for key, values in log.items()})
    return networks
""",
    ("clip-after-step", "clip-per-micro-batch", "scheduler-per-micro-batch", "missing-zero-grad"),
)

NORM = """\
                norm = clip_grad_norm_(networks[name].parameters(), 0.1 if name == "prior" else 0.4)
                log[name].append(norm.item())
"""


def many() -> Iterator[Case]:
    yield MANY.right("cleared-by-the-module-dict")
    yield MANY.right(
        "cleared-in-the-loop",
        (
            "                schedulers[name].step()\n            networks.zero_grad()\n",
            "                schedulers[name].step()\n                optimizer.zero_grad(set_to_none=True)\n",
        ),
    )
    yield MANY.wrong(
        "undivided",
        (
            (
                "((reconstruction + 0.1 * surprise) / accumulate).backward()",
                "(reconstruction + 0.1 * surprise).backward()",
            ),
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield MANY.wrong("never-cleared", (("            networks.zero_grad()\n", ""),))
    yield MANY.wrong(
        "clip-after-the-step",
        ((NORM + "                optimizer.step()\n", "                optimizer.step()\n" + NORM),),
    )
    yield MANY.wrong(
        "schedules-per-micro-batch",
        (
            ("                schedulers[name].step()\n", ""),
            (
                "            if count % accumulate:\n",
                """\
            for scheduler in schedulers.values():
                scheduler.step()
            if count % accumulate:
""",
            ),
        ),
    )
    yield MANY.right(
        "schedules-counted-in-micro-batches",
        ("step_size=3", "step_size=3 * accumulate"),
        ("    accumulate = 2\n", ""),
        (
            "    torch.set_default_dtype(torch.float64)\n",
            "    torch.set_default_dtype(torch.float64)\n    accumulate = 2\n",
        ),
        ("                schedulers[name].step()\n", ""),
        (
            "            if count % accumulate:\n",
            """\
            for scheduler in schedulers.values():
                scheduler.step()
            if count % accumulate:
""",
        ),
        tempts=("scheduler-per-micro-batch",),
    )


def cases() -> Iterator[Case]:
    yield from shared_graph()
    yield from actor()
    yield from twins()
    yield from turns()
    yield from many()
