"""The updates are made by a coroutine that waits for gradients."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def updater(net, lr, limit, record):
    optimizer = torch.optim.RMSprop(net.parameters(), lr=lr)
    norms = []
    while True:
        optimizer.zero_grad()
        done = yield norms[-1] if norms else 0.0
        if done:
            return
        norms.append(clip_grad_norm_(net.parameters(), limit).item())
        optimizer.step()
        record(list(net.parameters()))


def returns(rewards, discount=0.9):
    total, found = 0.0, []
    for reward in reversed(rewards):
        total = reward + discount * total
        found.append(total)
    return torch.tensor(found[::-1])


def train(record):
    torch.manual_seed(141)
    policy = nn.Sequential(nn.Linear(2, 12), nn.Tanh(), nn.Linear(12, 2))
    updates = updater(policy, 0.01, 0.5, record)
    next(updates)
    for _ in range(20):
        place, log_probs, rewards = torch.zeros(2), [], []
        for _ in range(8):
            choice = torch.distributions.Categorical(logits=policy(place))
            action = choice.sample()
            log_probs.append(choice.log_prob(action))
            place = place + torch.tensor([0.1, 0.2]) * (2 * action - 1)
            rewards.append(-float((place - 0.5).abs().sum()))
        gains = returns(rewards)
        loss = -(torch.stack(log_probs) * (gains - gains.mean())).mean()
        loss.backward()
        updates.send(False)
    updates.close()


if __name__ == "__main__":
    train(lambda parameters: None)
