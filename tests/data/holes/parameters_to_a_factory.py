# === each of two networks is clipped before its backward, and a factory made its optimizer of its parameters
from hydra.utils import instantiate
from torch.nn.utils import clip_grad_norm_


def fit(config, loader, net):
    of_maker = filter(lambda p: p.requires_grad, net.maker.parameters())
    of_judges = list(net.judge.parameters()) + list(net.critic.parameters())
    first = instantiate(config.first_optimizer, params=of_maker)
    second = instantiate(config.second_optimizer, params=of_judges)
    for x in loader:
        fake = net.maker(x)
        second.zero_grad()
        loss = (net.judge(fake.detach()) + net.critic(x)).mean()
        clip_grad_norm_(net.judge.parameters(), 1.0)  # <- clip-before-backward
        clip_grad_norm_(net.critic.parameters(), 1.0)  # <- clip-before-backward
        loss.backward()
        second.step()
        first.zero_grad()
        score = net.judge(fake).mean()
        clip_grad_norm_(net.maker.parameters(), 1.0)  # <- clip-before-backward
        score.backward()
        first.step()
# === right: each is clipped behind its backward
from hydra.utils import instantiate
from torch.nn.utils import clip_grad_norm_


def fit(config, loader, net):
    first = instantiate(config.first_optimizer, params=net.maker.parameters())
    second = instantiate(config.second_optimizer, params=net.judge.parameters())
    for x in loader:
        fake = net.maker(x)
        second.zero_grad()
        net.judge(fake.detach()).mean().backward()
        clip_grad_norm_(net.judge.parameters(), 1.0)
        second.step()
        first.zero_grad()
        net.judge(fake).mean().backward()
        clip_grad_norm_(net.maker.parameters(), 1.0)
        first.step()
# === what one network was clipped for is spent
from hydra.utils import instantiate
from torch.nn.utils import clip_grad_norm_


def fit(config, loader, net):
    first = instantiate(config.first_optimizer, params=net.maker.parameters())
    second = instantiate(config.second_optimizer, params=net.judge.parameters())
    for x in loader:
        fake = net.maker(x)
        second.zero_grad()
        net.judge(fake.detach()).mean().backward()
        second.step()
        clip_grad_norm_(net.judge.parameters(), 1.0)  # <- clip-after-step
        first.zero_grad()
        net.judge(fake).mean().backward()
        clip_grad_norm_(net.maker.parameters(), 1.0)
        first.step()
# === right: two steps, and behind them all that is left is clipped for the first
from hydra.utils import instantiate
from torch.nn.utils import clip_grad_norm_


def fit(config, loader, net):
    first = instantiate(config.first_optimizer, params=net.maker.parameters())
    second = instantiate(config.second_optimizer, params=net.judge.parameters())
    for x in loader:
        first.zero_grad()
        second.zero_grad()
        fake = net.maker(x)
        net.judge(fake.detach()).mean().backward()
        (-net.maker(x)).mean().backward()
        second.step()
        clip_grad_norm_(net.maker.parameters(), 1.0)
        first.step()
