import random

import torch

from rl.agent import DQNAgent
from rl.memory import ReplayMemory
from rl.optim import plain
from rl.world import Corridor, QNet, play

random.seed(0)
torch.manual_seed(0)
net = QNet()
optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
agent = DQNAgent(net, plain(optimizer))
returns = play(agent, Corridor(), ReplayMemory(), episodes=30, batch_size=16)
print("dqn", [round(r, 2) for r in returns[-5:]])
