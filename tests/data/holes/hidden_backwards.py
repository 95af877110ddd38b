# === right: two networks in turn, each if it shall, and whoever calls says what goes backward
import torch
from torch import nn


def update(pick, critics, actors, critic_optims, actor_optims, at, policy, batch, backward_func, limit, value, act):
    actors[at][policy].train()
    critics[at].train()
    value_loss = nn.functional.mse_loss(pick(critics[at], batch)[0], batch["y"])
    if value:
        critics[at].zero_grad()
        backward_func(value_loss)
        nn.utils.clip_grad_norm_(critics[at].parameters(), limit)
        critic_optims[at].step()
    policy_loss = -pick(critics[at], batch)[0].mean()
    if act:
        actors[at][policy].zero_grad()
        backward_func(policy_loss)
        nn.utils.clip_grad_norm_(actors[at][policy].parameters(), limit)
        actor_optims[at][policy].step()
# === the same with backwards in sight, and the actor is clipped behind its step
import torch
from torch import nn


def update(critic, actor, batches, limit):
    critic_optim = torch.optim.Adam(critic.parameters())
    actor_optim = torch.optim.Adam(actor.parameters())
    for x, y in batches:
        critic_optim.zero_grad()
        nn.functional.mse_loss(critic(x), y).backward()
        nn.utils.clip_grad_norm_(critic.parameters(), limit)
        critic_optim.step()
        actor_optim.zero_grad()
        (-critic(actor(x)).mean()).backward()
        actor_optim.step()
        nn.utils.clip_grad_norm_(actor.parameters(), limit)  # <- clip-after-step
# === right: a pool goes backward, and nobody sees when
from torch import nn


class Many:
    def work(self, pool):
        pool.starmap(self._backward)

    def update(self, critic_optims, actors, at, limit):
        critic_optims[at].step()
        nn.utils.clip_grad_norm_(actors[at].parameters(), limit)
