import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(5)
policy = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 3))
params = list(policy.parameters())
opt = torch.optim.Adam(params, lr=2e-3)
for it in range(15):
    obs = torch.randn(20, 4)
    dist = torch.distributions.Categorical(logits=policy(obs))
    act = dist.sample()
    adv = (act == obs[:, :3].argmax(1)).float() - 0.33
    pg_loss = -(dist.log_prob(act) * adv).mean()
    ent_loss = -dist.entropy().mean()
    g_pg = torch.autograd.grad(pg_loss, params, retain_graph=True)
    g_ent = torch.autograd.grad(ent_loss, params)
    for p, a, b in zip(params, g_pg, g_ent):
        p.grad = a + 0.01 * b
    nn.utils.clip_grad_norm_(params, 0.5)
    opt.step()
    if it % 5 == 0:
        print(it, pg_loss.item(), -ent_loss.item())
