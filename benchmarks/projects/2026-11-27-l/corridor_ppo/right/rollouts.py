from typing import NamedTuple

import torch
from torch.distributions import Categorical


class Rollout(NamedTuple):
    obs: torch.Tensor
    actions: torch.Tensor
    logp: torch.Tensor
    returns: torch.Tensor


@torch.no_grad()
def collect(env, agent, horizon, gamma=0.97):
    obs, acts, logps, rewards, ends = [], [], [], [], []
    state = env.reset()
    for _ in range(horizon):
        dist = Categorical(logits=agent.policy(state))
        action = dist.sample()
        obs.append(state)
        acts.append(action)
        logps.append(dist.log_prob(action))
        state, reward, done = env.step(action.item())
        rewards.append(reward)
        ends.append(done)
        if done:
            state = env.reset()
    returns, running = [], 0.0
    for reward, done in zip(reversed(rewards), reversed(ends)):
        running = reward + gamma * running * (not done)
        returns.append(running)
    return Rollout(torch.stack(obs), torch.stack(acts), torch.stack(logps), torch.tensor(returns[::-1]))
