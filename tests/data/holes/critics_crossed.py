# === a critic that is cleared at the head of each turn only, behind the maker
import torch
from torch import nn


def train(loader):
    critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
    maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3)
    opt_m = torch.optim.Adam(maker.parameters(), lr=1e-3)
    for real in loader:
        opt_c.zero_grad()
        opt_m.zero_grad()
        fake = maker(torch.randn(4, 3))
        (-critic(fake).mean()).backward()
        opt_m.step()
        (critic(fake.detach()).mean() - critic(real).mean()).backward()
        opt_c.step()  # <- missing-zero-grad
# === right: cleared between the two
import torch
from torch import nn


def train(loader):
    critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
    maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3)
    opt_m = torch.optim.Adam(maker.parameters(), lr=1e-3)
    for real in loader:
        opt_m.zero_grad()
        fake = maker(torch.randn(4, 3))
        (-critic(fake).mean()).backward()
        opt_m.step()
        opt_c.zero_grad()
        (critic(fake.detach()).mean() - critic(real).mean()).backward()
        opt_c.step()
# === right: the critic's turn comes first
import torch
from torch import nn


def train(loader):
    critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
    maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3)
    opt_m = torch.optim.Adam(maker.parameters(), lr=1e-3)
    for real in loader:
        opt_c.zero_grad()
        opt_m.zero_grad()
        fake = maker(torch.randn(4, 3))
        (critic(fake.detach()).mean() - critic(real).mean()).backward()
        opt_c.step()
        (-critic(fake).mean()).backward()
        opt_m.step()
# === windows of both, each cleared behind its step
import torch
from torch import nn


class Pair:
    def __init__(self, accum=2):
        self.accum = accum
        self.critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
        self.maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=1e-3)
        self.opt_m = torch.optim.Adam(self.maker.parameters(), lr=1e-3)

    def fit(self, loader):
        for i, real in enumerate(loader):
            last = (i + 1) % self.accum == 0 or i + 1 == len(loader)
            fake = self.maker(torch.randn(4, 3))
            loss_m = -self.critic(fake).mean() / self.accum
            loss_m.backward()
            if last:
                self.opt_m.step()
                self.opt_m.zero_grad()
            loss_c = (self.critic(fake.detach()).mean() - self.critic(real).mean()) / self.accum
            loss_c.backward()
            if last:
                self.opt_c.step()  # <- missing-zero-grad
                self.opt_c.zero_grad()
# === right: windows of both, and the critic is held still in the maker's loss
import torch
from torch import nn


class Pair:
    def __init__(self, accum=2):
        self.accum = accum
        self.critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
        self.maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=1e-3)
        self.opt_m = torch.optim.Adam(self.maker.parameters(), lr=1e-3)

    def fit(self, loader):
        for i, real in enumerate(loader):
            last = (i + 1) % self.accum == 0 or i + 1 == len(loader)
            fake = self.maker(torch.randn(4, 3))
            self.critic.requires_grad_(False)
            loss_m = -self.critic(fake).mean() / self.accum
            loss_m.backward()
            self.critic.requires_grad_(True)
            if last:
                self.opt_m.step()
                self.opt_m.zero_grad()
            loss_c = (self.critic(fake.detach()).mean() - self.critic(real).mean()) / self.accum
            loss_c.backward()
            if last:
                self.opt_c.step()
                self.opt_c.zero_grad()
# === right: a helper holds the critic still
import torch
from torch import nn


def still(net, on):
    for p in net.parameters():
        p.requires_grad = not on


def train(loader):
    critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
    maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3)
    opt_m = torch.optim.Adam(maker.parameters(), lr=1e-3)
    for real in loader:
        opt_c.zero_grad()
        opt_m.zero_grad()
        fake = maker(torch.randn(4, 3))
        still(critic, True)
        (-critic(fake).mean()).backward()
        opt_m.step()
        still(critic, False)
        (critic(fake.detach()).mean() - critic(real).mean()).backward()
        opt_c.step()
# === right: held still between the forward and the backward
import torch
from torch import nn


def train(loader):
    critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
    maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3)
    opt_m = torch.optim.Adam(maker.parameters(), lr=1e-3)
    for real in loader:
        opt_c.zero_grad()
        opt_m.zero_grad()
        fake = maker(torch.randn(4, 3))
        loss_m = -critic(fake).mean()
        critic.requires_grad_(False)
        loss_m.backward()
        critic.requires_grad_(True)
        opt_m.step()
        (critic(fake.detach()).mean() - critic(real).mean()).backward()
        opt_c.step()
# === both losses go back before both steps
import torch
from torch import nn


def train(loader):
    judge = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
    maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    judge_opt = torch.optim.SGD(judge.parameters(), lr=1e-3)
    maker_opt = torch.optim.SGD(maker.parameters(), lr=1e-3)
    for real in loader:
        judge_opt.zero_grad()
        maker_opt.zero_grad()
        fake = maker(torch.randn(4, 3))
        maker_loss = -judge(fake).mean()
        judge_loss = judge(fake.detach()).mean() - judge(real).mean()
        judge_loss.backward()
        maker_loss.backward()
        judge_opt.step()  # <- missing-zero-grad
        maker_opt.step()
# === right: both losses go back before both steps, the maker's into the maker alone
import torch
from torch import nn


def train(loader):
    judge = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
    maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    judge_opt = torch.optim.SGD(judge.parameters(), lr=1e-3)
    maker_opt = torch.optim.SGD(maker.parameters(), lr=1e-3)
    for real in loader:
        judge_opt.zero_grad()
        maker_opt.zero_grad()
        fake = maker(torch.randn(4, 3))
        maker_loss = -judge(fake).mean()
        judge_loss = judge(fake.detach()).mean() - judge(real).mean()
        judge_loss.backward()
        maker_loss.backward(inputs=list(maker.parameters()))
        judge_opt.step()
        maker_opt.step()
# === right: one loss of both networks, each with an optimizer
import torch
from torch import nn


def train(loader):
    trunk = nn.Sequential(nn.Linear(3, 8), nn.ReLU())
    head = nn.Linear(8, 1)
    trunk_opt = torch.optim.SGD(trunk.parameters(), lr=1e-3)
    head_opt = torch.optim.SGD(head.parameters(), lr=1e-2)
    for x, y in loader:
        trunk_opt.zero_grad()
        head_opt.zero_grad()
        loss = (head(trunk(x)) - y).square().mean()
        loss.backward()
        trunk_opt.step()
        head_opt.step()
# === right: the head learns of both losses, for its own goes through the trunk, too
import torch
from torch import nn


def train(loader):
    trunk = nn.Sequential(nn.Linear(3, 8), nn.ReLU())
    head = nn.Linear(8, 1)
    trunk_opt = torch.optim.SGD(trunk.parameters(), lr=1e-3)
    head_opt = torch.optim.SGD(head.parameters(), lr=1e-2)
    for x, y in loader:
        trunk_opt.zero_grad()
        head_opt.zero_grad()
        trunk_loss = (head(trunk(x)) - y).square().mean()
        head_loss = head(trunk(x)).abs().mean()
        trunk_loss.backward()
        head_loss.backward()
        trunk_opt.step()
        head_opt.step()
# === a scaler for both, and the fake is made without gradients
import torch
from torch import nn


def train(loader, device):
    scorer = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1)).to(device)
    painter = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2)).to(device)
    optim_s = torch.optim.AdamW(scorer.parameters(), lr=1e-4)
    optim_p = torch.optim.AdamW(painter.parameters(), lr=1e-4)
    scaler = torch.amp.GradScaler()
    for real in loader:
        optim_p.zero_grad()
        optim_s.zero_grad()
        with torch.autocast(device_type="cuda"):
            loss_p = -scorer(painter(torch.randn(4, 3, device=device))).mean()
        scaler.scale(loss_p).backward()
        scaler.step(optim_p)
        with torch.autocast(device_type="cuda"):
            with torch.no_grad():
                fake = painter(torch.randn(4, 3, device=device))
            loss_s = scorer(fake).mean() - scorer(real.to(device)).mean()
        scaler.scale(loss_s).backward()
        scaler.step(optim_s)  # <- missing-zero-grad
        scaler.update()
# === right: a scaler for both, and the critic is cleared in front of its own loss
import torch
from torch import nn


def train(loader, device):
    scorer = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1)).to(device)
    painter = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2)).to(device)
    optim_s = torch.optim.AdamW(scorer.parameters(), lr=1e-4)
    optim_p = torch.optim.AdamW(painter.parameters(), lr=1e-4)
    scaler = torch.amp.GradScaler()
    for real in loader:
        optim_p.zero_grad()
        with torch.autocast(device_type="cuda"):
            loss_p = -scorer(painter(torch.randn(4, 3, device=device))).mean()
        scaler.scale(loss_p).backward()
        scaler.step(optim_p)
        with torch.autocast(device_type="cuda"):
            with torch.no_grad():
                fake = painter(torch.randn(4, 3, device=device))
            loss_s = scorer(fake).mean() - scorer(real.to(device)).mean()
        scorer.zero_grad()
        scaler.scale(loss_s).backward()
        scaler.step(optim_s)
        scaler.update()
# === a critic of two losses, real and fake, whose maker steps last
import torch
from torch import nn


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(2, 1)

    def forward(self, x):
        return self.body(x)


def train(loader):
    judge = Judge()
    eyes = nn.Linear(2, 2)
    eyes.requires_grad_(False)
    maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    judge_opt = torch.optim.SGD(judge.parameters(), lr=1e-3)
    maker_opt = torch.optim.SGD(maker.parameters(), lr=1e-3)
    bce = nn.BCEWithLogitsLoss()
    for real in loader:
        judge_opt.zero_grad()
        maker_opt.zero_grad()
        fake = maker(torch.randn(4, 3))
        maker_loss = bce(judge(fake), torch.ones(4, 1)) + (eyes(fake) - real).abs().mean()
        maker_loss.backward()
        fake_loss = bce(judge(fake.detach()), torch.zeros(4, 1))
        fake_loss.backward()
        real_loss = bce(judge(real), torch.ones(4, 1))
        real_loss.backward()
        judge_opt.step()  # <- missing-zero-grad
        maker_opt.step()
# === right: a critic of two losses, cleared in front of them
import torch
from torch import nn


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(2, 1)

    def forward(self, x):
        return self.body(x)


def train(loader):
    judge = Judge()
    eyes = nn.Linear(2, 2)
    eyes.requires_grad_(False)
    maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    judge_opt = torch.optim.SGD(judge.parameters(), lr=1e-3)
    maker_opt = torch.optim.SGD(maker.parameters(), lr=1e-3)
    bce = nn.BCEWithLogitsLoss()
    for real in loader:
        maker_opt.zero_grad()
        fake = maker(torch.randn(4, 3))
        maker_loss = bce(judge(fake), torch.ones(4, 1)) + (eyes(fake) - real).abs().mean()
        maker_loss.backward()
        judge.zero_grad()
        fake_loss = bce(judge(fake.detach()), torch.zeros(4, 1))
        fake_loss.backward()
        real_loss = bce(judge(real), torch.ones(4, 1))
        real_loss.backward()
        judge_opt.step()
        maker_opt.step()
# === right: one optimizer for both
import itertools

import torch
from torch import nn


def train(loader):
    judge = nn.Linear(2, 1)
    maker = nn.Linear(3, 2)
    opt = torch.optim.SGD(itertools.chain(judge.parameters(), maker.parameters()), lr=1e-3)
    for real in loader:
        opt.zero_grad()
        fake = maker(torch.randn(4, 3))
        maker_loss = judge(fake).square().mean()
        maker_loss.backward()
        judge_loss = (judge(fake.detach()) - judge(real)).square().mean()
        judge_loss.backward()
        opt.step()
# === right: a third optimizer over both
import itertools

import torch
from torch import nn


def train(loader):
    judge = nn.Linear(2, 1)
    maker = nn.Linear(3, 2)
    judge_opt = torch.optim.SGD(judge.parameters(), lr=1e-3)
    maker_opt = torch.optim.SGD(maker.parameters(), lr=1e-3)
    info_opt = torch.optim.SGD(itertools.chain(judge.parameters(), maker.parameters()), lr=1e-3)
    for real in loader:
        judge_opt.zero_grad()
        maker_opt.zero_grad()
        info_opt.zero_grad()
        fake = maker(torch.randn(4, 3))
        info_loss = judge(fake).square().mean()
        info_loss.backward()
        info_opt.step()
        judge_loss = (judge(fake.detach()) - judge(real)).square().mean()
        judge_loss.backward()
        judge_opt.step()
        maker_opt.step()
# === right: gradients of the maker alone, by autograd.grad
import torch
from torch import nn


def train(loader):
    critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
    maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3)
    opt_m = torch.optim.Adam(maker.parameters(), lr=1e-3)
    for real in loader:
        opt_c.zero_grad()
        opt_m.zero_grad()
        fake = maker(torch.randn(4, 3))
        loss_m = -critic(fake).mean()
        for p, g in zip(maker.parameters(), torch.autograd.grad(loss_m, list(maker.parameters()), retain_graph=True)):
            p.grad = g
        opt_m.step()
        loss_c = critic(fake.detach()).mean() - critic(real).mean()
        loss_c.backward()
        opt_c.step()
# === a critic in a Lightning module, by hand, that clears all at the head
import lightning as L
import torch
from torch import nn


class Both(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.critic = nn.Linear(2, 1)
        self.maker = nn.Linear(3, 2)

    def configure_optimizers(self):
        opt_m = torch.optim.Adam(self.maker.parameters(), lr=1e-3)
        opt_c = torch.optim.Adam(self.critic.parameters(), lr=1e-3)
        return [opt_m, opt_c], []

    def training_step(self, batch, batch_idx):
        opt_m, opt_c = self.optimizers()
        opt_m.zero_grad()
        opt_c.zero_grad()
        fake = self.maker(torch.randn(4, 3))
        loss_m = -self.critic(fake).mean()
        self.manual_backward(loss_m)
        opt_m.step()
        loss_c = self.critic(fake.detach()).mean() - self.critic(batch).mean()
        self.manual_backward(loss_c)
        opt_c.step()  # <- missing-zero-grad
# === right: in a Lightning module, the maker's optimizer alone is toggled on for its loss
import lightning as L
import torch
from torch import nn


class Both(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.critic = nn.Linear(2, 1)
        self.maker = nn.Linear(3, 2)

    def configure_optimizers(self):
        opt_m = torch.optim.Adam(self.maker.parameters(), lr=1e-3)
        opt_c = torch.optim.Adam(self.critic.parameters(), lr=1e-3)
        return [opt_m, opt_c], []

    def training_step(self, batch, batch_idx):
        opt_m, opt_c = self.optimizers()
        opt_m.zero_grad()
        opt_c.zero_grad()
        fake = self.maker(torch.randn(4, 3))
        self.toggle_optimizer(opt_m)
        loss_m = -self.critic(fake).mean()
        self.manual_backward(loss_m)
        opt_m.step()
        self.untoggle_optimizer(opt_m)
        loss_c = self.critic(fake.detach()).mean() - self.critic(batch).mean()
        self.manual_backward(loss_c)
        opt_c.step()
# === an option chooses the losses, and refuses any other
import torch
from torch import nn


def maker_loss(scores, kind):
    if kind == "plain":
        return -scores.mean()
    if kind == "soft":
        return nn.functional.softplus(-scores).mean()
    raise ValueError(kind)


def critic_loss(fake, real, kind):
    if kind == "plain":
        return fake.mean() - real.mean()
    if kind == "soft":
        return nn.functional.softplus(fake).mean() + nn.functional.softplus(-real).mean()
    raise ValueError(kind)


def train(loader, kind):
    critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
    maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3)
    opt_m = torch.optim.Adam(maker.parameters(), lr=1e-3)
    for real in loader:
        opt_c.zero_grad()
        opt_m.zero_grad()
        fake = maker(torch.randn(4, 3))
        maker_loss(critic(fake), kind).backward()
        opt_m.step()
        critic_loss(critic(fake.detach()), critic(real), kind).backward()
        opt_c.step()  # <- missing-zero-grad
# === right: an option chooses the losses, and the critic is cleared between them
import torch
from torch import nn


def maker_loss(scores, kind):
    if kind == "plain":
        return -scores.mean()
    if kind == "soft":
        return nn.functional.softplus(-scores).mean()
    raise ValueError(kind)


def train(loader, kind):
    critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
    maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3)
    opt_m = torch.optim.Adam(maker.parameters(), lr=1e-3)
    for real in loader:
        opt_m.zero_grad()
        fake = maker(torch.randn(4, 3))
        maker_loss(critic(fake), kind).backward()
        opt_m.step()
        opt_c.zero_grad()
        (critic(fake.detach()).mean() - critic(real).mean()).backward()
        opt_c.step()
# === right: something out of sight is handed the critic before the maker's loss, and after
import torch
from elsewhere import hold
from torch import nn


def train(loader):
    critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
    maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3)
    opt_m = torch.optim.Adam(maker.parameters(), lr=1e-3)
    for real in loader:
        opt_c.zero_grad()
        opt_m.zero_grad()
        fake = maker(torch.randn(4, 3))
        hold(critic, False)
        (-critic(fake).mean()).backward()
        opt_m.step()
        hold(critic, True)
        (critic(fake.detach()).mean() - critic(real).mean()).backward()
        opt_c.step()
# === a trunk learns from the losses of two heads, cleared behind the steps
import torch
import torch.nn.functional as F


def train(trunk, classify, rotate, loader):
    opt_main = torch.optim.SGD([*trunk.parameters(), *classify.parameters()], lr=0.1)
    opt_aux = torch.optim.SGD(rotate.parameters(), lr=0.05)
    for x, label, rotation in loader:
        h = trunk(x)
        F.cross_entropy(classify(h), label).backward(retain_graph=True)
        F.cross_entropy(rotate(h), rotation).backward()
        opt_main.step()
        opt_aux.step()
        opt_main.zero_grad()
        opt_aux.zero_grad()
# === the same, each cleared behind its own step
import torch
import torch.nn.functional as F


def train(trunk, classify, rotate, loader):
    opt_main = torch.optim.SGD([*trunk.parameters(), *classify.parameters()], lr=0.1)
    opt_aux = torch.optim.SGD(rotate.parameters(), lr=0.05)
    for x, label, rotation in loader:
        h = trunk(x)
        F.cross_entropy(classify(h), label).backward(retain_graph=True)
        F.cross_entropy(rotate(h), rotation).backward()
        opt_main.step()
        opt_main.zero_grad()
        opt_aux.step()
        opt_aux.zero_grad()
