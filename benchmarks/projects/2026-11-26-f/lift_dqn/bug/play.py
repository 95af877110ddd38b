import random
import sys

import torch

from dqn import Building, Curiosity, LiftAgent, Replay


def main(episodes=24, floors=5, batch_size=32):
    random.seed(0)
    torch.manual_seed(0)
    building, replay = Building(floors), Replay()
    agent, curiosity = LiftAgent(floors), Curiosity(floors)
    for episode in range(episodes):
        state, done, paid, surprise = building.reset(), False, 0.0, 0.0
        while not done:
            action = agent.act(state, epsilon=max(0.1, 1 - episode / 15))
            following, reward, done = building.step(action)
            replay.add(state, action, reward, following, done)
            state, paid = following, paid + reward
            if len(replay) >= batch_size:
                batch = list(replay.sample(batch_size))
                batch[2] = batch[2] + curiosity.bonus(batch)
                agent.learn(batch)
                surprise = curiosity.learn(batch)
        if episode % 6 == 5:
            print(f"episode {episode} paid {paid:.2f} surprise {surprise:.3f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
