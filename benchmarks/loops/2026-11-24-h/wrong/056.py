import torch
import torch.nn.functional as F
from torch import nn, optim


class Bandit:
    """Contextual bandit: the best arm is the sign pattern of the context."""

    def __init__(self, batch=32):
        self.batch = batch

    def contexts(self):
        return torch.randn(self.batch, 6)

    def pull(self, ctx, arm):
        best = (ctx[:, 0] > 0).long() * 2 + (ctx[:, 1] > 0).long()
        return (arm == best).float()


actor = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 4))
baseline = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 1))


def train(rounds=60, ent=0.01):
    torch.manual_seed(12)
    where = "cuda" if torch.cuda.is_available() else "cpu"
    env = Bandit()
    actor.to(where), baseline.to(where)
    pi_opt = optim.SGD(actor.parameters(), lr=0.3)
    vf_opt = optim.SGD(baseline.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler(where, init_scale=1024.0, growth_interval=500)
    avg = 0.0
    for n in range(1, rounds + 1):
        ctx = env.contexts().to(where)
        with torch.autocast(where, dtype=torch.float16):
            logits = actor(ctx)
            value = baseline(ctx).squeeze(1)
        dist = torch.distributions.Categorical(logits=logits.float())
        arm = dist.sample()
        reward = env.pull(ctx, arm)
        advantage = reward - value.float().detach()
        pi_loss = -(dist.log_prob(arm) * advantage).mean() - ent * dist.entropy().mean()
        vf_loss = F.mse_loss(value.float(), reward)

        vf_opt.zero_grad()
        scaler.scale(vf_loss).backward()
        scaler.step(vf_opt)

        pi_opt.zero_grad()
        pi_loss.backward()
        scaler.step(pi_opt)
        scaler.update()

        avg += (reward.mean().item() - avg) / n
        if n % 15 == 0:
            print(f"round {n}: average reward {avg:.3f}, value loss {vf_loss.item():.3f}")


if __name__ == "__main__":
    train()
