"""DDPG on a point that is to be pushed to the origin."""
import copy

import torch
from torch import nn


def mlp(i, o, *last):
    return nn.Sequential(nn.Linear(i, 24), nn.ReLU(), nn.Linear(24, o), *last)


def soft_update(target, source, tau=0.05):
    with torch.no_grad():
        for t, s in zip(target.parameters(), source.parameters()):
            t.lerp_(s, tau)


def rollout(actor, n, generator):
    state = torch.randn(n, 2, generator=generator)
    with torch.no_grad():
        action = (actor(state) + 0.2 * torch.randn(n, 2, generator=generator)).clamp(-1, 1)
    after = state + 0.3 * action
    return state, action, -after.norm(dim=1, keepdim=True), after


def train(record):
    torch.manual_seed(50)
    generator = torch.Generator().manual_seed(50)
    actor, critic = mlp(2, 2, nn.Tanh()), mlp(4, 1)
    actor_target, critic_target = copy.deepcopy(actor), copy.deepcopy(critic)
    actor_opt = torch.optim.Adam(actor.parameters(), lr=1e-3)
    critic_opt = torch.optim.Adam(critic.parameters(), lr=3e-3)
    everything = [*actor.parameters(), *critic.parameters()]
    for _ in range(30):
        state, action, reward, after = rollout(actor, 32, generator)
        with torch.no_grad():
            value = critic_target(torch.cat([after, actor_target(after)], 1))
        guess = critic(torch.cat([state, action], 1))
        critic_loss = nn.functional.mse_loss(guess, reward + 0.9 * value)
        critic_loss.backward()
        critic_opt.step()
        critic_opt.zero_grad()
        record(everything)

        actor_loss = -critic(torch.cat([state, actor(state)], 1)).mean()
        actor_loss.backward()
        actor_opt.step()
        actor_opt.zero_grad()
        record(everything)

        soft_update(actor_target, actor)
        soft_update(critic_target, critic)


if __name__ == "__main__":
    train(lambda parameters: None)
