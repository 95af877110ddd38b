from typing import NamedTuple

import torch


class Rollout(NamedTuple):
    obs: torch.Tensor
    actions: torch.Tensor
    returns: torch.Tensor


def collect(net, env, episodes, gamma):
    obs_buf, act_buf, ret_buf = [], [], []
    for _ in range(episodes):
        obs, done, rewards = env.reset(), False, []
        while not done:
            with torch.no_grad():
                dist, _ = net(torch.tensor(obs))
            action = dist.sample()
            obs_buf.append(obs)
            act_buf.append(action)
            obs, reward, done = env.step(action.item())
            rewards.append(reward)
        acc, tail = 0.0, []
        for r in reversed(rewards):
            acc = r + gamma * acc
            tail.append(acc)
        ret_buf.extend(reversed(tail))
    return Rollout(torch.tensor(obs_buf), torch.stack(act_buf), torch.tensor(ret_buf))
