import argparse
import random

import torch

from rl.agent import DQNAgent
from rl.memory import ReplayMemory
from rl.optim import annealed
from rl.world import Corridor, QNet, play


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--episodes", type=int, default=30)
    parser.add_argument("--lr", type=float, default=5e-3)
    parser.add_argument("--anneal", type=float, default=0.998)
    args = parser.parse_args()
    random.seed(1)
    torch.manual_seed(1)
    net = QNet()
    optimizer = torch.optim.Adam(net.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=args.anneal)
    agent = DQNAgent(net, annealed(optimizer, scheduler), double=True)
    returns = play(agent, Corridor(length=6), ReplayMemory(), args.episodes, batch_size=16)
    print("double", [round(r, 2) for r in returns[-5:]])


if __name__ == "__main__":
    main()
