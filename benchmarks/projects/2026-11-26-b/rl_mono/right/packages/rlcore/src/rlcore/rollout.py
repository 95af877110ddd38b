import torch
from torch.distributions import Categorical


@torch.no_grad()
def collect(policy, env, episodes):
    obs, actions, log_probs, rewards = [], [], [], []
    for _ in range(episodes):
        state, done, trace = env.reset(), False, []
        while not done:
            dist = Categorical(logits=policy(state)[0])
            action = dist.sample()
            obs.append(state)
            actions.append(action)
            log_probs.append(dist.log_prob(action))
            state, reward, done = env.step(action.item())
            trace.append(reward)
        rewards.append(trace)
    return torch.stack(obs), torch.stack(actions), torch.stack(log_probs), rewards


def discounted(rewards, gamma):
    returns = []
    for trace in rewards:
        value, values = 0.0, []
        for reward in reversed(trace):
            value = reward + gamma * value
            values.append(value)
        returns.extend(reversed(values))
    returns = torch.tensor(returns)
    return (returns - returns.mean()) / (returns.std() + 1e-6)


def score(policy, env, episodes):
    policy.eval()
    total = 0.0
    for _ in range(episodes):
        state, done = env.reset(), False
        while not done:
            logits, _ = policy(state)
            state, reward, done = env.step(logits.argmax().item())
            total += reward
    return total / episodes
