import torch
from torch import nn, optim
from torch.nn.utils import clip_grad_norm_


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2))
        self.value = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))


def surrogate(agent, states, actions, returns, behaviour):
    value = agent.value(states).squeeze(1)
    advantage = (returns - value).detach()
    logp = agent.actor(states).log_softmax(1).gather(1, actions[:, None]).squeeze(1)
    ratio = (logp - behaviour).exp()
    policy = -torch.min(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage).mean()
    return policy + 0.5 * (returns - value).pow(2).mean()


def train(record):
    torch.manual_seed(62)
    agent = Agent()
    actor_opt = optim.SGD(agent.actor.parameters(), lr=0.1)
    value_opt = optim.SGD(agent.value.parameters(), lr=0.3)
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0, growth_interval=4)
    for iteration in range(3):
        states, actions = torch.randn(24, 4), torch.randint(0, 2, (24,))
        returns = 2 * torch.randn(24)
        with torch.no_grad():
            behaviour = agent.actor(states).log_softmax(1).gather(1, actions[:, None]).squeeze(1)
        for part in torch.randperm(24).split(8):
            actor_opt.zero_grad()
            value_opt.zero_grad()
            loss = surrogate(agent, states[part], actions[part], returns[part], behaviour[part])
            scaler.scale(loss).backward()
            scaler.unscale_(actor_opt)
            scaler.unscale_(value_opt)
            clip_grad_norm_(agent.parameters(), 0.5)
            scaler.step(actor_opt)
            record(list(agent.parameters()))
            scaler.step(value_opt)
            record(list(agent.parameters()))
            scaler.update()


if __name__ == "__main__":
    train(lambda parameters: None)
