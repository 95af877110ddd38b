import argparse

import torch

from agents import A2C
from envs import Corridor
from evaluate import greedy_return
from nets import ActorCritic
from rollout import collect


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--updates", type=int, default=40)
    p.add_argument("--episodes", type=int, default=4)
    p.add_argument("--gamma", type=float, default=0.97)
    p.add_argument("--lr", type=float, default=7e-3)
    return p.parse_args()


def main():
    args = parse()
    torch.manual_seed(3)
    env, test_env = Corridor(seed=0), Corridor(seed=1)
    net = ActorCritic(env.length, 2)
    agent = A2C(net, torch.optim.RMSprop(net.parameters(), lr=args.lr))
    for update in range(args.updates):
        loss = agent.learn(collect(net, env, args.episodes, args.gamma))
        if update % 4 == 3:
            print(update, round(loss, 3), round(greedy_return(net, test_env), 3))


if __name__ == "__main__":
    main()
