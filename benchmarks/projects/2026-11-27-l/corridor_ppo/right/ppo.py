import torch
from torch.distributions import Categorical

from updates import descend


def surrogate(agent, rollout, idx, clip=0.2):
    dist = Categorical(logits=agent.policy(rollout.obs[idx]))
    value = agent.value(rollout.obs[idx]).squeeze(-1)
    advantage = rollout.returns[idx] - value.detach()
    ratio = (dist.log_prob(rollout.actions[idx]) - rollout.logp[idx]).exp()
    gain = torch.min(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage).mean()
    value_loss = (value - rollout.returns[idx]).pow(2).mean()
    return -gain + 0.5 * value_loss - 0.01 * dist.entropy().mean()


def improve(agent, rollout, passes=3, minibatch=64, max_norm=0.5):
    norms = []
    for _ in range(passes):
        for idx in torch.randperm(len(rollout.obs)).split(minibatch):
            loss = surrogate(agent, rollout, idx)
            norms.append(descend(agent, loss, max_norm))
    return sum(norms) / len(norms)
