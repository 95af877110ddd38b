import torch.nn.functional as F

from tapestry.registry import register


@register("generator")
def generator_update(w, real):
    fake = w.gen(w.noise(len(real)))
    loss = F.softplus(-w.critic(fake)).mean()
    w.opt_g.zero_grad()
    loss.backward()
    w.opt_g.step()
    w.log["generator"] = loss.item()
