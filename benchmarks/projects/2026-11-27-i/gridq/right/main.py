import random

import torch

from gridworld import Corridor
from learner import Learner
from memory import Replay


def play(episodes=40, batch=32, sync_every=50):
    env, agent, replay = Corridor(), Learner(), Replay(2000)
    steps = 0
    for ep in range(episodes):
        obs, done, ret = env.reset(), False, 0.0
        while not done:
            action = agent.act(obs, eps=max(0.05, 1 - ep / 20))
            nxt, reward, done = env.step(action)
            replay.push(obs, action, reward, nxt, float(done))
            obs, ret, steps = nxt, ret + reward, steps + 1
            if len(replay) >= batch:
                agent.learn(replay.sample(batch))
            if steps % sync_every == 0:
                agent.sync()
        if ep % 10 == 9:
            print(f"episode {ep + 1}: return {ret:.2f}")


if __name__ == "__main__":
    random.seed(1)
    torch.manual_seed(1)
    play()
