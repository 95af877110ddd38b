from dataclasses import dataclass

import torch

from common import *


@dataclass(frozen=True)
class Args:
    iterations: int = 4
    steps: int = 320
    minibatch: int = 32
    every: int = 5
    clip: float = 0.2
    lr: float = 3e-3


def surrogate(net, args, state, action, old, adv, ret):
    dist, value = net(state)
    ratio = (dist.log_prob(action) - old).exp()
    clipped = ratio.clamp(1 - args.clip, 1 + args.clip)
    policy = -torch.min(ratio * adv, clipped * adv).mean()
    return policy + 0.5 * (value - ret).pow(2).mean() - 0.01 * dist.entropy().mean()


def learn(args):
    torch.manual_seed(0)
    net = ActorCritic()
    optimizer = torch.optim.Adam(net.parameters(), lr=args.lr)
    for it in range(args.iterations):
        memory = rollout(net, args.steps)
        chunks = torch.randperm(args.steps).split(args.minibatch)
        optimizer.zero_grad(set_to_none=True)
        total = 0.0
        for i, rows in enumerate(chunks):
            size = windows_of(i, args.every, len(chunks))
            loss = surrogate(net, args, *(m[rows] for m in memory)) / size
            total += collect(loss, net)
            if closes(i, args.every, len(chunks)):
                release(optimizer, net)
        print(f"iter {it} reward {memory[-1].mean():.3f} loss {total:.4f}")


if __name__ == "__main__":
    learn(Args())
