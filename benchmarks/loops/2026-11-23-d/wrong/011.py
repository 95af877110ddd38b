import copy

import torch
import torch.nn.functional as F

from policies import Actor, Critic, replay

GAMMA, TAU, MAX_NORM = 0.99, 0.005, 10.0

actor, critic = Actor(), Critic()
actor_target, critic_target = copy.deepcopy(actor), copy.deepcopy(critic)
opt_a = torch.optim.Adam(actor.parameters(), 1e-4)
opt_c = torch.optim.Adam(critic.parameters(), 1e-3)
buffer = replay("halfcheetah-medium")


def soft_update(src, dst):
    with torch.no_grad():
        for p, q in zip(src.parameters(), dst.parameters()):
            q.lerp_(p, TAU)


for step in range(200):
    obs, act, rew, nxt, done = buffer.sample(64)
    with torch.no_grad():
        target = rew + GAMMA * (1 - done) * critic_target(nxt, actor_target(nxt))
    q_loss = F.mse_loss(critic(obs, act), target)
    opt_c.zero_grad()
    q_loss.backward()
    torch.nn.utils.clip_grad_norm_(critic.parameters(), MAX_NORM)
    opt_c.step()

    pi_loss = -critic(obs, actor(obs)).mean()
    opt_a.zero_grad()
    pi_loss.backward()
    opt_a.step()
    torch.nn.utils.clip_grad_norm_(actor.parameters(), MAX_NORM)

    soft_update(actor, actor_target)
    soft_update(critic, critic_target)
    if step % 100 == 0:
        print(step, q_loss.item(), pi_loss.item())
