"""Reinforcement learning that goes several times over one buffer of experience."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

PPO = Draft(
    "epochs-over-a-buffer",
    """\
import torch
from torch import nn
from torch.distributions import Categorical

torch.set_default_dtype(torch.float64)

HP = {"rollouts": 3, "steps": 20, "epochs": 2, "minibatch": 5, "clip": 0.2, "max_grad": 0.05, "lr": 3e-2}


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Dropout(0.1))
        self.pi = nn.Linear(16, 3)
        self.v = nn.Linear(16, 1)

    def forward(self, obs):
        hidden = self.body(obs)
        return Categorical(logits=self.pi(hidden)), self.v(hidden).squeeze(-1)


@torch.no_grad()
def rollout(net):
    net.eval()
    obs = torch.randn(HP["steps"], 4)
    dist, value = net(obs)
    action = dist.sample()
    reward = (action == obs.argmax(1).clamp(max=2)).double()
    return obs, action, dist.log_prob(action), reward - value, reward


def ppo_loss(net, obs, action, old_logp, advantage, ret):
    dist, value = net(obs)
    ratio = (dist.log_prob(action) - old_logp).exp()
    bounded = ratio.clamp(1 - HP["clip"], 1 + HP["clip"])
    surrogate = torch.min(ratio * advantage, bounded * advantage).mean()
    return -surrogate + 0.5 * (value - ret).pow(2).mean() - 0.01 * dist.entropy().mean()


def update(net, optimizer, buffer):
    net.train()
    history = []
    for _ in range(HP["epochs"]):
        for rows in torch.randperm(HP["steps"]).split(HP["minibatch"]):
            loss = ppo_loss(net, *(column[rows] for column in buffer))
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), HP["max_grad"])
            optimizer.step()
            history.append(loss.item())
    return sum(history) / len(history)


def main():
    torch.manual_seed(41)
    net = ActorCritic()
    optimizer = torch.optim.Adam(net.parameters(), lr=HP["lr"])
    anneal = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=HP["rollouts"])
    for number in range(HP["rollouts"]):
        buffer = rollout(net)
        loss = update(net, optimizer, buffer)
        anneal.step()
        print(f"rollout {number} loss {loss:.5f} reward {buffer[-1].mean():.3f}")
    return net
""",
    ("missing-zero-grad", "unscaled-accumulation-loss"),
)

P_CLEAR = "            optimizer.zero_grad()\n"
P_CLIP = '            nn.utils.clip_grad_norm_(net.parameters(), HP["max_grad"])\n'
P_STEP = "            optimizer.step()\n"
P_TRAIN = "    net.train()\n"
P_TOTAL = "            history.append(loss.item())\n"
P_UPDATE = "        loss = update(net, optimizer, buffer)\n"
P_ANNEAL = "        anneal.step()\n"
STOPS = PPO.styled(
    (
        "            optimizer.zero_grad()\n            loss.backward()\n",
        """\
            history.append(loss.item())
            if len(history) > 1 and loss.item() > 4 * history[0] > 0:
                return sum(history) / len(history)  # the policy has gone too far from the old one
            optimizer.zero_grad()
            loss.backward()
""",
    ),
    (P_STEP + P_TOTAL, P_STEP),
)


def cases() -> Iterator[Case]:
    yield STOPS.right("stops-early-in-front-of-the-backward", tempts=("missing-zero-grad", "dropped-accumulation-tail"))
    yield PPO.right(
        "rollout-and-lesson-both-without-dropout",
        (P_TRAIN, "    # the ratio would be noise if dropout spoke in it: the net stays as the rollout had it\n"),
        tempts=("missing-train-mode",),
    )
    yield PPO.wrong(
        "clip-and-clear-in-wrong-places",
        ((P_CLIP + P_STEP, P_STEP + P_CLIP),),
        ((P_CLEAR, ""),),
        tempts=("clip-after-step", "missing-zero-grad"),
    )
    yield PPO.wrong(
        "annealed-in-front-of-the-lesson",
        ((P_UPDATE + P_ANNEAL, P_ANNEAL + P_UPDATE),),
        tempts=("scheduler-before-optimizer",),
    )
    yield PPO.wrong(
        "history-of-losses-with-graphs",
        ((P_TOTAL, "            history.append(loss)\n"),),
        fine=(((P_TOTAL, "            history.append(loss.detach())\n"),),),
        tempts=("loss-graph-leak",),
    )
