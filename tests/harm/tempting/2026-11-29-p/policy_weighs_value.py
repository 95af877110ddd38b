"""Actor and critic on one body; the critic counts as much as the actor's gradient is long."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_

LIMIT = 0.5


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 16), nn.Tanh())
        self.actor, self.critic = nn.Linear(16, 3), nn.Linear(16, 1)

    def forward(self, x):
        hidden = self.body(x)
        return torch.distributions.Categorical(logits=self.actor(hidden)), self.critic(hidden).squeeze(1)


def train(record):
    torch.manual_seed(205)
    agent = ActorCritic()
    optimizer = torch.optim.SGD(agent.parameters(), lr=0.1, momentum=0.9)
    weights = []
    for _ in range(25):
        state = torch.randn(32, 4)
        choice, value = agent(state)
        action = choice.sample()
        gain = 5 * state.gather(1, action[:, None]).squeeze(1)
        policy_loss = -(choice.log_prob(action) * (gain - value.detach())).mean()
        value_loss = F.mse_loss(value, gain)

        optimizer.zero_grad()
        policy_loss.backward(retain_graph=True)
        norm = clip_grad_norm_(agent.parameters(), LIMIT)
        weight = min(1.0, norm.item() / 4)
        (weight * value_loss).backward()
        optimizer.step()
        record(list(agent.parameters()))
        weights.append(weight)
    return weights

if __name__ == "__main__":
    train(lambda parameters: None)
