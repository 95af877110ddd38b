import torch
from torch import nn
from torch.optim.lr_scheduler import ExponentialLR, LinearLR

torch.manual_seed(140)
actor, critic = nn.Linear(6, 2), nn.Linear(6, 1)
pi_opt = torch.optim.Adam(actor.parameters(), lr=1e-3)
q_opt = torch.optim.Adam(critic.parameters(), lr=3e-3)
q_sched, pi_sched = ExponentialLR(q_opt, 0.95), LinearLR(pi_opt, 1.0, 0.1, total_iters=6)
DELAY = 3

for it in range(18):
    s = torch.randn(24, 6)
    with torch.no_grad():
        target = s.pow(2).mean(1, keepdim=True)
    q_loss = nn.functional.mse_loss(critic(s), target)
    q_opt.zero_grad()
    q_loss.backward()
    q_opt.step()
    q_sched.step()
    if (it + 1) % DELAY == 0:
        logits = actor(s)
        entropy = torch.distributions.Categorical(logits=logits).entropy().mean()
        pi_loss = -(logits.softmax(1)[:, 0] * target.squeeze(1)).mean() - 0.01 * entropy
        pi_opt.zero_grad()
        pi_loss.backward()
        pi_opt.step()
        pi_sched.step()
print(q_sched.get_last_lr(), pi_sched.get_last_lr(), q_loss.item(), pi_loss.item())
