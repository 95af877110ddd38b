import numpy as np
import torch
from torch import nn


def ppo_loss(policy, obs, actions, old_logp, advantages, returns, clip_range):
    logp, entropy, value = policy.evaluate(obs, actions)
    ratio = (logp - old_logp).exp()
    surrogate = torch.min(ratio * advantages, ratio.clamp(1 - clip_range, 1 + clip_range) * advantages)
    return -surrogate.mean() + 0.5 * (returns - value).pow(2).mean() - 0.01 * entropy.mean()


def backward_and_clip(loss, policy, max_norm):
    loss.backward()
    return nn.utils.clip_grad_norm_(policy.parameters(), max_norm)


def learn(policy, optimizer, rollout, *, epochs=4, minibatch=256, micro=64, clip_range=0.2, max_norm=0.5):
    size = len(rollout["obs"])
    norms = []
    for _ in range(epochs):
        order = np.random.permutation(size)
        for start in range(0, size - minibatch + 1, minibatch):
            index = order[start : start + minibatch]
            optimizer.zero_grad()
            for part in range(0, minibatch, micro):
                rows = index[part : part + micro]
                loss = ppo_loss(
                    policy,
                    rollout["obs"][rows],
                    rollout["actions"][rows],
                    rollout["logp"][rows],
                    rollout["advantages"][rows],
                    rollout["returns"][rows],
                    clip_range,
                )
                norm = backward_and_clip(loss * len(rows) / minibatch, policy, max_norm)
            norms.append(float(norm))
            optimizer.step()
    return float(np.mean(norms))
