from dataclasses import dataclass, field

import torch

from agent import A2C
from env import Corridor


@dataclass
class Episode:
    obs: list = field(default_factory=list)
    actions: list = field(default_factory=list)
    rewards: list = field(default_factory=list)


def play(env, agent):
    episode, obs, done = Episode(), env.reset(), False
    while not done:
        action = agent.act(obs)
        episode.obs.append(obs)
        obs, reward, done = env.step(action)
        episode.actions.append(action)
        episode.rewards.append(reward)
    return episode


if __name__ == "__main__":
    torch.manual_seed(0)
    env = Corridor(seed=5)
    agent = A2C(env.n_obs, env.n_actions)
    for n in range(40):
        episode = play(env, agent)
        pl, vl = agent.learn(episode)
        if n % 10 == 0:
            print(f"episode {n:3d} return {sum(episode.rewards):+.2f} pi {pl:+.3f} v {vl:.3f}")
