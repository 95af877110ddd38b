from torch import nn


class ActorCritic(nn.Module):
    def __init__(self, observation_size, actions, hidden=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(observation_size, hidden), nn.Tanh(), nn.Dropout(0.05))
        self.actor = nn.Linear(hidden, actions)
        self.critic = nn.Linear(hidden, 1)

    def forward(self, obs):
        features = self.trunk(obs)
        return self.actor(features), self.critic(features).squeeze(-1)
