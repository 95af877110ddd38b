from typing import NamedTuple

import torch


class Rollout(NamedTuple):
    obs: list
    actions: list
    rewards: list


class SlotCars:
    """Cars on a ring of curves; too fast in a curve and you fall off."""

    n_actions, obs_dim = 3, 3

    def __init__(self, cars=16, seed=0):
        self.gen = torch.Generator().manual_seed(seed)
        self.curve = (torch.rand(24, generator=self.gen) < 0.4).float()
        self.cars = cars
        self.reset()

    def reset(self):
        self.pos = torch.randint(0, 24, (self.cars,), generator=self.gen)
        self.speed = torch.ones(self.cars)

    def observe(self):
        return torch.stack([self.speed, self.curve[self.pos], self.curve[(self.pos + 1) % 24]], 1)

    def step(self, action):
        self.speed = (self.speed + action - 1).clamp(0, 3)
        fell = (self.curve[self.pos] > 0) & (self.speed > 2)
        reward = torch.where(fell, torch.tensor(-3.0), self.speed)
        self.speed[fell] = 0
        self.pos = (self.pos + 1) % 24
        return reward


def collect(env, agent, steps):
    roll = Rollout([], [], [])
    for _ in range(steps):
        obs = env.observe()
        action = agent.act(obs)
        roll.obs.append(obs)
        roll.actions.append(action)
        roll.rewards.append(env.step(action))
    return roll
