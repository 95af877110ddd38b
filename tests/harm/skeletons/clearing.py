"""Gradients that are kept, cleared in part or read between two steps, on purpose."""

from __future__ import annotations

from collections.abc import Iterator

from harm.case import Case, Skeleton, drop, swap

CARRIED = """
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def decay_grads(module, beta):
    for p in module.parameters():
        if p.grad is not None:
            p.grad *= beta


def main():
    torch.manual_seed(17)
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    # p.grad is the momentum buffer: it is decayed, never cleared
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for step in range(10):
        x = torch.randn(5, 3)
        loss = (model(x) - x.norm(dim=1, keepdim=True)).pow(2).mean()
        loss.backward()
        optimizer.step()
        decay_grads(model, 0.9)
        if step % 5 == 4:
            print(step, f"{loss.item():.6f}")
    return model
"""


def carried_gradients() -> Iterator[Case]:
    loops = Skeleton("gradients-as-momentum")
    yield loops.right("helper-decays", CARRIED, "missing-zero-grad")
    inline = swap(
        CARRIED,
        "        decay_grads(model, 0.9)\n",
        "        for p in model.parameters():\n            p.grad *= 0.9\n",
    )
    yield loops.right("decayed-inline", inline, "missing-zero-grad")
    yield loops.right(
        "decayed-in-front-of-the-backward",
        swap(
            drop(CARRIED, "decay_grads(model, 0.9)"),
            "        loss.backward()",
            "        decay_grads(model, 0.9)\n        loss.backward()",
        ),
        "missing-zero-grad",
    )
    yield loops.right(
        "foreach",
        swap(CARRIED, "decay_grads(model, 0.9)", "torch._foreach_mul_([p.grad for p in model.parameters()], 0.9)"),
        "missing-zero-grad",
    )
    yield loops.right(
        "cleared-now-and-then",
        swap(
            CARRIED,
            "        if step % 5 == 4:\n",
            "        if step % 5 == 4:\n            optimizer.zero_grad()  # restart\n",
        ),
        "missing-zero-grad",
        "zero-grad-in-accumulation",
    )
    yield loops.right(
        "sign-of-the-sum",
        swap(
            CARRIED,
            "        optimizer.step()\n        decay_grads(model, 0.9)\n",
            "        optimizer.step()\n"
            "        for p in model.parameters():\n"
            "            p.grad.copy_(torch.clamp(p.grad, -0.1, 0.1))\n",
        ),
        "missing-zero-grad",
        "clip-after-step",
    )


SEARCH = """
import copy

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def flat(tensors):
    return torch.cat([t.reshape(-1) for t in tensors])


def objective(policy, states, actions, advantages):
    logp = torch.log_softmax(policy(states), -1).gather(1, actions[:, None])[:, 0]
    return -(logp * advantages).mean()


def line_search(policy, direction, loss_of, start, tries=6):
    params = list(policy.parameters())
    old = nn.utils.parameters_to_vector(params).detach()
    for k in range(tries):
        nn.utils.vector_to_parameters(old - 0.5**k * direction, params)
        with torch.no_grad():
            if loss_of() < start:
                return k
    nn.utils.vector_to_parameters(old, params)
    return -1


def main():
    torch.manual_seed(23)
    policy = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 2))
    value = nn.Linear(3, 1)
    value_opt = torch.optim.Adam(value.parameters(), lr=0.05)
    policy_opt = torch.optim.SGD(policy.parameters(), lr=0.1)
    for it in range(4):
        states = torch.randn(16, 3)
        returns = states.sum(1)
        advantages = (returns - value(states)[:, 0]).detach()
        with torch.no_grad():
            actions = torch.distributions.Categorical(logits=policy(states)).sample()

        loss = objective(policy, states, actions, advantages)
        policy_opt.zero_grad()
        loss.backward()
        direction = flat([p.grad for p in policy.parameters()]).clone()
        direction /= direction.norm() + 1e-8
        policy_opt.zero_grad()
        taken = line_search(policy, direction, lambda: objective(policy, states, actions, advantages), loss.item())

        for _ in range(2):
            value_loss = (value(states)[:, 0] - returns).pow(2).mean()
            value_opt.zero_grad()
            value_loss.backward()
            value_opt.step()
        print(it, taken, f"{value_loss.item():.6f}")
    return policy, value
"""


def line_search() -> Iterator[Case]:
    loops = Skeleton("line-search")
    yield loops.right("gradient-is-read-then-cleared", SEARCH, "zero-grad-before-step")
    yield loops.right(
        "direction-put-back-and-stepped",
        swap(
            SEARCH,
            "        taken = line_search(policy, direction, lambda: objective(policy, states, actions, advantages), loss.item())\n",
            "        for p, d in zip(policy.parameters(), direction.split([p.numel() for p in policy.parameters()])):\n"
            "            p.grad = d.view_as(p).clone()\n        policy_opt.step()\n        taken = 0\n",
        ),
        "zero-grad-before-step",
    )
    yield loops.right(
        "gradient-penalty-from-the-first-pass",
        swap(
            SEARCH,
            "        policy_opt.zero_grad()\n"
            "        taken = line_search(policy, direction, lambda: objective(policy, states, actions, advantages), loss.item())\n",
            "        policy_opt.zero_grad()\n"
            "        entropy = torch.distributions.Categorical(logits=policy(states)).entropy().mean()\n"
            "        (-0.01 * entropy).backward()\n"
            "        for p, d in zip(policy.parameters(), direction.split([p.numel() for p in policy.parameters()])):\n"
            "            p.grad += d.view_as(p)\n        policy_opt.step()\n        taken = -1\n",
        ),
        "zero-grad-in-accumulation",
    )
    yield loops.wrong(
        "value-cleared-late",
        swap(
            SEARCH,
            "            value_opt.zero_grad()\n            value_loss.backward()\n",
            "            value_loss.backward()\n            value_opt.zero_grad()\n",
        ),
        SEARCH,
        tempts=("zero-grad-before-step",),
    )
    yield loops.wrong(
        "value-never-cleared", drop(SEARCH, "value_opt.zero_grad()"), SEARCH, tempts=("missing-zero-grad",)
    )


PARTIAL = """
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
EMB_EVERY = 3


class Recommender(nn.Module):
    def __init__(self, n_items=15, dim=4):
        super().__init__()
        self.items = nn.Embedding(n_items, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 6), nn.ReLU(), nn.Linear(6, 1))

    def forward(self, ids):
        return self.mlp(self.items(ids)).squeeze(-1)


def clear(group):
    for p in group["params"]:
        p.grad = None


def main():
    torch.manual_seed(40)
    model = Recommender()
    optimizer = torch.optim.SGD(
        [
            {"params": model.mlp.parameters(), "name": "dense", "lr": 0.1},
            {"params": model.items.parameters(), "name": "sparse", "lr": 0.0},
        ]
    )
    dense, sparse = optimizer.param_groups
    for step in range(1, 13):
        ids = torch.randint(0, 15, (8,))
        target = (ids % 2).double()
        loss = nn.functional.binary_cross_entropy_with_logits(model(ids), target)
        loss.backward()
        # the table collects the gradients of three batches, the dense part moves each time
        sparse["lr"] = 0.5 / EMB_EVERY if step % EMB_EVERY == 0 else 0.0
        optimizer.step()
        clear(dense)
        if step % EMB_EVERY == 0:
            clear(sparse)
        if step % 4 == 0:
            print(step, "loss %.6f" % loss)
    return model
"""


def partial_clearing() -> Iterator[Case]:
    loops = Skeleton("partial-clearing")
    yield loops.right("groups-cleared-apart", PARTIAL, "missing-zero-grad")
    yield loops.right(
        "modules-cleared-apart",
        swap(
            PARTIAL,
            "        clear(dense)\n",
            "        model.mlp.zero_grad()\n",
            "            clear(sparse)\n",
            "            model.items.zero_grad()\n",
        ),
        "missing-zero-grad",
        "unscaled-accumulation-loss",
    )
    yield loops.right(
        "hidden-while-the-dense-part-steps",
        swap(
            PARTIAL,
            '        sparse["lr"] = 0.5 / EMB_EVERY if step % EMB_EVERY == 0 else 0.0\n        optimizer.step()\n',
            '        sparse["lr"] = 0.5 / EMB_EVERY\n'
            "        kept = model.items.weight.grad\n"
            "        if step % EMB_EVERY:\n"
            "            model.items.weight.grad = None\n"
            "        optimizer.step()\n        model.items.weight.grad = kept\n",
        ),
        "zero-grad-before-step",
        "missing-zero-grad",
    )
    two = swap(
        PARTIAL,
        '        sparse["lr"] = 0.5 / EMB_EVERY if step % EMB_EVERY == 0 else 0.0\n'
        "        optimizer.step()\n"
        "        clear(dense)\n"
        "        if step % EMB_EVERY == 0:\n"
        "            clear(sparse)\n",
        "        optimizer.step()\n        optimizer.zero_grad()\n",
    )
    yield loops.right("nothing-special", two, "missing-zero-grad")
    yield loops.wrong(
        "log-between-and-never-cleared", drop(two, "optimizer.zero_grad()"), two, tempts=("missing-zero-grad",)
    )


CRITIC = """
import torch
from torch import nn, optim
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)
gamma, tau = 0.9, 0.05


class Agent:
    def __init__(self):
        self.actor = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1), nn.Tanh())
        self.critic = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
        self.target = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
        self.target.load_state_dict(self.critic.state_dict())
        self.actor_optim = optim.Adam(self.actor.parameters(), lr=1e-2)
        self.critic_optim = optim.Adam(self.critic.parameters(), lr=2e-2)

    def q(self, net, s, a):
        return net(torch.cat([s, a], 1))

    def update(self, s, a, r, s2):
        with torch.no_grad():
            y = r + gamma * self.q(self.target, s2, self.actor(s2))
        critic_loss = F.mse_loss(self.q(self.critic, s, a), y)
        self.critic_optim.zero_grad()
        critic_loss.backward()
        nn.utils.clip_grad_norm_(self.critic.parameters(), 0.5)
        self.critic_optim.step()

        # leaves gradients in the critic, which are cleared above before they are used
        actor_loss = -self.q(self.critic, s, self.actor(s)).mean()
        self.actor_optim.zero_grad()
        actor_loss.backward()
        self.actor_optim.step()

        for p, t in zip(self.critic.parameters(), self.target.parameters()):
            t.data.lerp_(p.data, tau)
        return critic_loss.item(), actor_loss.item()


def main():
    torch.manual_seed(3)
    agent = Agent()
    for step in range(8):
        s = torch.randn(6, 3)
        a = torch.rand(6, 1) * 2 - 1
        c, p = agent.update(s, a, -s.norm(dim=1, keepdim=True), s + 0.1 * a)
        if step % 4 == 3:
            print(f"{step} critic={c:.5f} actor={p:.5f}")
    return agent.actor, agent.critic, agent.target
"""


def actor_critic() -> Iterator[Case]:
    loops = Skeleton("actor-critic")
    yield loops.right("as-it-is", CRITIC, "missing-zero-grad", "zero-grad-in-accumulation")
    yield loops.right(
        "critic-frozen-for-the-actor",
        swap(
            CRITIC,
            "        # leaves gradients in the critic, which are cleared above before they are used\n",
            "        self.critic.requires_grad_(False)\n",
            "        self.actor_optim.step()\n",
            "        self.actor_optim.step()\n        self.critic.requires_grad_(True)\n",
        ),
        "missing-zero-grad",
    )
    yield loops.right(
        "polluted-on-neither-side",
        swap(
            CRITIC,
            "        self.critic_optim.zero_grad()\n",
            "        self.critic.zero_grad()\n",
            "        self.actor_optim.zero_grad()\n",
            "        self.actor.zero_grad()\n",
        ),
        "missing-zero-grad",
    )
    # cleared after the step: the actor's backward fills the critic afterwards
    after = swap(
        drop(CRITIC, "self.critic_optim.zero_grad()"),
        "        self.critic_optim.step()\n",
        "        self.critic_optim.step()\n        self.critic_optim.zero_grad()\n",
    )
    yield loops.wrong(
        "critic-cleared-too-early", after, CRITIC, tempts=("missing-zero-grad", "zero-grad-in-accumulation")
    )
    yield loops.wrong(
        "critic-never-cleared", drop(CRITIC, "self.critic_optim.zero_grad()"), CRITIC, tempts=("missing-zero-grad",)
    )
    clip = "        nn.utils.clip_grad_norm_(self.critic.parameters(), 0.5)\n"
    yield loops.wrong(
        "critic-clip-late",
        swap(CRITIC, clip, "", "        self.critic_optim.step()\n", "        self.critic_optim.step()\n" + clip),
        CRITIC,
        tempts=("clip-after-step",),
    )
    yield loops.wrong(
        "clip-in-the-actor-block",
        swap(CRITIC, clip, "", "        actor_loss.backward()\n", "        actor_loss.backward()\n" + clip),
        CRITIC,
        tempts=("clip-after-step", "clip-before-backward"),
    )
    yield loops.wrong(
        "actor-cleared-between",
        swap(
            CRITIC,
            "        self.actor_optim.zero_grad()\n        actor_loss.backward()\n",
            "        actor_loss.backward()\n        self.actor_optim.zero_grad()\n",
        ),
        CRITIC,
        tempts=("zero-grad-before-step",),
    )


def cases() -> Iterator[Case]:
    yield from carried_gradients()
    yield from line_search()
    yield from partial_clearing()
    yield from actor_critic()
