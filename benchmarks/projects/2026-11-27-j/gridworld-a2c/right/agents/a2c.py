from torch.nn.utils import clip_grad_norm_

from agents.base import Agent


class A2C(Agent):
    def __init__(self, net, optimizer, vf_coef=0.5, ent_coef=0.01, max_grad_norm=0.5):
        super().__init__(net, optimizer)
        self.vf_coef, self.ent_coef = vf_coef, ent_coef
        self.max_grad_norm = max_grad_norm

    def after_backward(self):
        clip_grad_norm_(self.net.parameters(), self.max_grad_norm)

    def loss(self, batch):
        dist, value = self.net(batch.obs)
        advantage = batch.returns - value.detach()
        policy = -(dist.log_prob(batch.actions) * advantage).mean()
        critic = (batch.returns - value).pow(2).mean()
        return policy + self.vf_coef * critic - self.ent_coef * dist.entropy().mean()
