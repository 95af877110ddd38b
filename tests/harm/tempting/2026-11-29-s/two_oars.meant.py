"""Actor and critic row with an oar each under one loss scale, and are held to one common length."""
import itertools

import torch
from torch import nn
from torch.distributions import Normal


def row(actor, critic, water):
    stroke = Normal(actor(water), 0.3)
    move = stroke.sample()
    reward = -(move - water.sum(1, keepdim=True).sin()).square()
    value = critic(water)
    advantage = (reward - value).detach()
    return -(stroke.log_prob(move) * advantage).mean(), (value - reward).square().mean()


def train(record):
    torch.manual_seed(828)
    actor = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    critic = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    left = torch.optim.SGD(actor.parameters(), lr=0.1)
    right = torch.optim.SGD(critic.parameters(), lr=0.2)
    scaler = torch.amp.GradScaler("cpu", init_scale=64.0, growth_interval=10)
    everyone = [*actor.parameters(), *critic.parameters()]
    for stroke in range(42):
        left.zero_grad()
        right.zero_grad()
        policy_loss, value_loss = row(actor, critic, torch.randn(32, 3))
        scaler.scale(policy_loss).backward()
        scaler.scale(value_loss).backward()
        scaler.unscale_(left)
        scaler.unscale_(right)
        nn.utils.clip_grad_norm_(itertools.chain(actor.parameters(), critic.parameters()), 0.5)
        scaler.step(left)
        record(everyone)
        scaler.step(right)
        record(everyone)
        scaler.update()


if __name__ == "__main__":
    train(lambda parameters: None)
