import torch
from torch.nn import functional as F

from .networks import GaussianActor, TwinCritic
from .registry import OBJECTIVES, agent, objective


@agent("sac")
class SoftActorCritic:
    def __init__(self, observation, action, total, lr=1e-3, gamma=0.97, alpha=0.1, tau=0.05):
        self.actor = GaussianActor(observation, action)
        self.critic = TwinCritic(observation, action)
        self.target = TwinCritic(observation, action)
        self.target.load_state_dict(self.critic.state_dict())
        self.target.requires_grad_(False)
        self.optimizers = {
            "critic": torch.optim.Adam(self.critic.parameters(), lr=lr),
            "actor": torch.optim.Adam(self.actor.parameters(), lr=lr),
        }
        self.schedules = [
            torch.optim.lr_scheduler.LinearLR(o, 1.0, 0.1, total_iters=total) for o in self.optimizers.values()
        ]
        self.gamma, self.alpha, self.tau = gamma, alpha, tau

    @torch.no_grad()
    def act(self, state, greedy=False):
        action, _ = self.actor(state.unsqueeze(0), greedy)
        return action.squeeze(0)

    @objective("critic")
    def critic_loss(self, batch):
        state, action, reward, following = batch
        with torch.no_grad():
            proposal, log_prob = self.actor(following)
            value = torch.min(*self.target(following, proposal)) - self.alpha * log_prob
            goal = reward + self.gamma * value
        first, second = self.critic(state, action)
        return F.mse_loss(first, goal) + F.mse_loss(second, goal)

    @objective("actor")
    def actor_loss(self, batch):
        proposal, log_prob = self.actor(batch[0])
        return (self.alpha * log_prob - torch.min(*self.critic(batch[0], proposal))).mean()

    def update(self, batch):
        losses = {name: OBJECTIVES[name](self, batch) for name in ("critic", "actor")}
        with torch.no_grad():
            for slow, fast in zip(self.target.parameters(), self.critic.parameters()):
                slow.lerp_(fast, self.tau)
        return losses

    def decay(self):
        for schedule in self.schedules:
            schedule.step()

    def rate(self):
        return self.schedules[0].get_last_lr()[0]
