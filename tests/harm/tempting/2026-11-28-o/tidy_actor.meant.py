"""Deterministic actor and critic on a one-step problem."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def net(size_in, size_out):
    return nn.Sequential(nn.Linear(size_in, 16), nn.Tanh(), nn.Linear(16, size_out))


def bound(module):
    return clip_grad_norm_(module.parameters(), 0.1)


def reward(state, action):
    return -(action - state[:, :1] * state[:, 1:2]).square() * 5


def train(record):
    torch.manual_seed(12)
    actor, critic = net(3, 1), net(4, 1)
    actor_opt = torch.optim.SGD(actor.parameters(), lr=0.1)
    critic_opt = torch.optim.SGD(critic.parameters(), lr=0.1)
    norms = []
    for _ in range(40):
        state = torch.randn(32, 3)
        action = actor(state)
        tried = action.detach() + 0.3 * torch.randn_like(action)
        critic_opt.zero_grad()
        guess = critic(torch.cat([state, tried], dim=1))
        nn.functional.mse_loss(guess, reward(state, tried)).backward()
        bound(critic)
        critic_opt.step()
        record(list(critic.parameters()))

        critic.requires_grad_(False)
        (-20 * critic(torch.cat([state, action], dim=1)).mean()).backward()
        critic.requires_grad_(True)
        norms.append(bound(actor).item())
        actor_opt.step()
        record(list(actor.parameters()))
        actor_opt.zero_grad()
    return norms


if __name__ == "__main__":
    train(lambda parameters: None)
