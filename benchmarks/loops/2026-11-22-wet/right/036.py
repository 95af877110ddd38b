import torch
from torch.distributions import Categorical

from gridworld import Environment, Policy


def discounted(rewards, gamma):
    returns, running = [], 0.0
    for reward in reversed(rewards):
        running = reward + gamma * running
        returns.insert(0, running)
    returns = torch.tensor(returns)
    return (returns - returns.mean()) / (returns.std(unbiased=False) + 1e-8)


def reinforce(episodes=3000, gamma=0.99):
    env, policy = Environment(seed=3), Policy(hidden=64)
    optimizer = torch.optim.Adam(policy.parameters(), lr=3e-3)
    policy.train()
    for episode in range(episodes):
        observation, done = env.reset(), False
        log_probs, rewards = [], []
        while not done:
            distribution = Categorical(logits=policy(torch.as_tensor(observation)))
            action = distribution.sample()
            observation, reward, done = env.step(action.item())
            log_probs.append(distribution.log_prob(action))
            rewards.append(reward)

        losses = [-lp * g for lp, g in zip(log_probs, discounted(rewards, gamma))]
        loss = torch.stack(losses).mean()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
        optimizer.step()
        if episode % 100 == 0:
            print(episode, sum(rewards))


reinforce()
