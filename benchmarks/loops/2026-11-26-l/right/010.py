import copy
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(6)
pi = nn.Sequential(nn.Linear(4, 24), nn.ReLU(), nn.Linear(24, 1), nn.Tanh())
q1 = nn.Sequential(nn.Linear(5, 24), nn.ReLU(), nn.Linear(24, 1))
pi_t, q_t = copy.deepcopy(pi), copy.deepcopy(q1)
pi_opt = torch.optim.Adam(pi.parameters(), 1e-3)
q_opt = torch.optim.Adam(q1.parameters(), 1e-3)
POLICY_FREQ = 2

for it in range(1, 21):
    s, a, s2 = torch.randn(32, 4), torch.rand(32, 1) * 2 - 1, torch.randn(32, 4)
    r = -(a - s[:, :1].tanh()).abs()
    with torch.no_grad():
        y = r + 0.9 * q_t(torch.cat([s2, pi_t(s2)], 1))
    critic_loss = F.mse_loss(q1(torch.cat([s, a], 1)), y)
    q_opt.zero_grad()
    critic_loss.backward()
    nn.utils.clip_grad_norm_(q1.parameters(), 1.0)
    q_opt.step()
    if it % POLICY_FREQ == 0:
        actor_loss = -q1(torch.cat([s, pi(s)], 1)).mean()
        pi_opt.zero_grad()
        actor_loss.backward()
        nn.utils.clip_grad_norm_(pi.parameters(), 1.0)
        pi_opt.step()
        with torch.no_grad():
            for net, tgt in ((pi, pi_t), (q1, q_t)):
                for p, pt in zip(net.parameters(), tgt.parameters()):
                    pt.lerp_(p, 0.01)
print(critic_loss.item(), actor_loss.item())
