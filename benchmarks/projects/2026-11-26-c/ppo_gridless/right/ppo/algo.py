import torch
from torch import nn


class PPO:
    def __init__(self, policy, params, lr, clip_eps=0.2, epochs=2, minibatches=4, vf_coef=0.5,
                 ent_coef=0.01, max_grad_norm=0.5):
        self.policy = policy
        self.params = params
        self.optimizer = torch.optim.Adam(self.params, lr=lr, eps=1e-5)
        self.clip_eps = clip_eps
        self.epochs = epochs
        self.minibatches = minibatches
        self.vf_coef = vf_coef
        self.ent_coef = ent_coef
        self.max_grad_norm = max_grad_norm

    def update(self, storage):
        self.policy.train()
        pg_sum = vf_sum = 0.0
        count = 0
        for _ in range(self.epochs):
            for batch in storage.minibatches(self.minibatches):
                logp, entropy, value = self.policy.evaluate_actions(batch["obs"], batch["action"])
                ratio = (logp - batch["logp"]).exp()
                adv = batch["adv"]
                clipped = ratio.clamp(1 - self.clip_eps, 1 + self.clip_eps) * adv
                pg_loss = -torch.min(ratio * adv, clipped).mean()
                vf_loss = (value - batch["ret"]).pow(2).mean()
                loss = pg_loss + self.vf_coef * vf_loss - self.ent_coef * entropy.mean()

                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.params, self.max_grad_norm)
                self.optimizer.step()

                pg_sum += pg_loss.item()
                vf_sum += vf_loss.item()
                count += 1
        return {"pg": round(pg_sum / count, 4), "vf": round(vf_sum / count, 4)}
