import argparse

import torch

from orchard.agent import A2C
from orchard.env import Orchard
from orchard.stats import Ledger


def episode(env, agent):
    views, actions, rewards = [], [], []
    view, done = env.reset(), False
    while not done:
        action = agent.act(view)
        views.append(view)
        actions.append(action)
        view, reward, done = env.step(action)
        rewards.append(reward)
    return views, actions, rewards


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--episodes", type=int, default=120)
    parser.add_argument("--trees", type=int, default=8)
    args = parser.parse_args()
    torch.manual_seed(1)
    env, agent, ledger = Orchard(args.trees), A2C(args.trees), Ledger()
    for number in range(args.episodes):
        views, actions, rewards = episode(env, agent)
        ledger.book(rewards, agent.learn(views, actions, rewards))
        if (number + 1) % 40 == 0:
            print(ledger.line())
