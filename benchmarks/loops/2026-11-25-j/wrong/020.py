import torch
from torch import nn

torch.manual_seed(20)
OBS, ACT = 4, 3
actor = nn.Sequential(nn.Linear(OBS, 16), nn.Tanh(), nn.Linear(16, ACT))
value = nn.Sequential(nn.Linear(OBS, 16), nn.Tanh(), nn.Linear(16, 1))
actor_opt = torch.optim.Adam(actor.parameters(), lr=1e-3)
value_opt = torch.optim.Adam(value.parameters(), lr=3e-3)


def fake_env_batch(n=32):
    obs = torch.randn(n, OBS)
    probs = torch.softmax(actor(obs), -1)
    act = torch.multinomial(probs.detach(), 1).squeeze(1)
    reward = (act == obs[:, :ACT].argmax(1)).float()
    return obs, act, reward, torch.log(probs.gather(1, act[:, None]).squeeze(1))


for update in range(8):
    obs, act, reward, logp = fake_env_batch()
    v = value(obs).squeeze(1)
    advantage = reward - v

    actor_loss = -(logp * advantage.detach()).mean()
    actor_opt.zero_grad()
    actor_loss.backward()
    actor_opt.step()

    value_loss = advantage.pow(2).mean()
    actor_opt.zero_grad()
    value_loss.backward()
    value_opt.step()
    print(f"update {update}: reward {reward.mean():.2f} value loss {value_loss.item():.3f}")
