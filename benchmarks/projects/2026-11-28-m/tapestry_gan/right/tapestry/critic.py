import torch
import torch.nn.functional as F

from tapestry.registry import register


@register("critic")
def critic_update(w, real):
    with torch.no_grad():
        fake = w.gen(w.noise(len(real)))
    loss = F.softplus(-w.critic(real)).mean() + F.softplus(w.critic(fake)).mean()
    w.opt_c.zero_grad()
    loss.backward()
    w.opt_c.step()
    w.log["critic"] = loss.item()
