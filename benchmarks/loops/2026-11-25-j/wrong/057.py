import torch
from torch import nn

torch.manual_seed(57)
net = nn.Sequential(nn.Linear(5, 32), nn.Tanh(), nn.Linear(32, 4))
optim = torch.optim.Adam(net.parameters(), lr=3e-4, eps=1e-5)
scaler = torch.amp.GradScaler("cpu", init_scale=2048.0)
CLIP = 0.2


def collect(n=64):
    with torch.no_grad():
        s = torch.randn(n, 5)
        dist = torch.distributions.Categorical(logits=net(s))
        a = dist.sample()
        adv = torch.where(a == s[:, :4].argmax(1), 1.0, -0.3)
        return s, a, dist.log_prob(a), (adv - adv.mean()) / (adv.std() + 1e-8)


for iteration in range(4):
    states, actions, old_logp, adv = collect()
    for mb in torch.randperm(64).split(16):
        dist = torch.distributions.Categorical(logits=net(states[mb]))
        ratio = (dist.log_prob(actions[mb]) - old_logp[mb]).exp()
        surrogate = torch.min(ratio * adv[mb], ratio.clamp(1 - CLIP, 1 + CLIP) * adv[mb])
        loss = -surrogate.mean() - 0.01 * dist.entropy().mean()
        optim.zero_grad()
        scaler.scale(loss).backward()
        optim.step()
    print(f"iteration {iteration} loss {loss.item():+.4f}")
