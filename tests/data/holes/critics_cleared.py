# === a critic whose windows are cleared behind its step
import torch
from torch import nn


def train(groups, every=2):
    critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
    maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3)
    opt_m = torch.optim.Adam(maker.parameters(), lr=1e-3)
    for turn, reals in enumerate(groups):
        for real in reals:
            fake = maker(torch.randn(4, 3)).detach()
            ((critic(fake).mean() - critic(real).mean()) / len(reals)).backward()
        opt_c.step()  # <- missing-zero-grad
        opt_c.zero_grad()
        if turn % every == 0:
            opt_m.zero_grad()
            (-critic(maker(torch.randn(4, 3))).mean()).backward()
            opt_m.step()
# === right: cleared in front of its window
import torch
from torch import nn


def train(groups, every=2):
    critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
    maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3)
    opt_m = torch.optim.Adam(maker.parameters(), lr=1e-3)
    for turn, reals in enumerate(groups):
        opt_c.zero_grad()
        for real in reals:
            fake = maker(torch.randn(4, 3)).detach()
            ((critic(fake).mean() - critic(real).mean()) / len(reals)).backward()
        opt_c.step()
        if turn % every == 0:
            opt_m.zero_grad()
            (-critic(maker(torch.randn(4, 3))).mean()).backward()
            opt_m.step()
# === right: cleared behind its step, and the maker's loss goes another way
import torch
from torch import nn


def train(groups, every=2):
    critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
    maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3)
    opt_m = torch.optim.Adam(maker.parameters(), lr=1e-3)
    for turn, reals in enumerate(groups):
        for real in reals:
            (critic(real).square().mean() / len(reals)).backward()
        opt_c.step()
        opt_c.zero_grad()
        if turn % every == 0:
            opt_m.zero_grad()
            maker(torch.randn(4, 3)).square().mean().backward()
            opt_m.step()
# === two schedules at the head of the epoch, one of an optimizer that steps now and then
import torch
from torch import nn


class Pair:
    def __init__(self, accum=2, every=2):
        self.accum, self.every = accum, every
        self.critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
        self.maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=1e-3)
        self.opt_m = torch.optim.Adam(self.maker.parameters(), lr=1e-3)
        self.sched_c = torch.optim.lr_scheduler.StepLR(self.opt_c, 10)
        self.sched_m = torch.optim.lr_scheduler.StepLR(self.opt_m, 10)

    def critic_turn(self, reals):
        self.opt_c.zero_grad()
        for real in reals:
            fake = self.maker(torch.randn(4, 3)).detach()
            ((self.critic(fake).mean() - self.critic(real).mean()) / len(reals)).backward()
        self.opt_c.step()

    def maker_turn(self):
        self.opt_m.zero_grad()
        for _ in range(self.accum):
            (-self.critic(self.maker(torch.randn(4, 3))).mean() / self.accum).backward()
        self.opt_m.step()

    def fit(self, groups, epochs):
        for epoch in range(epochs):
            self.sched_c.step()  # <- scheduler-before-optimizer
            self.sched_m.step()  # <- scheduler-before-optimizer
            for turn, reals in enumerate(groups):
                self.critic_turn(reals)
                if turn % self.every == 0:
                    self.maker_turn()
# === a critic that takes several turns of an inner loop for one of the maker, and is cleared behind each step
import torch
from torch import nn


def train(turns=100):
    critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
    maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    opt_c = torch.optim.RMSprop(critic.parameters(), lr=1e-3)
    opt_m = torch.optim.RMSprop(maker.parameters(), lr=1e-3)
    for turn in range(turns):
        for _ in range(5):
            fake = maker(torch.randn(4, 3)).detach()
            loss = critic(fake).mean() - critic(torch.randn(4, 2)).mean()
            loss.backward()
            opt_c.step()  # <- missing-zero-grad
            opt_c.zero_grad()
        loss_m = -critic(maker(torch.randn(4, 3))).mean()
        loss_m.backward()
        opt_m.step()
        opt_m.zero_grad()
# === right: several turns of the critic, cleared in front of each
import torch
from torch import nn


def train(turns=100):
    critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
    maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    opt_c = torch.optim.RMSprop(critic.parameters(), lr=1e-3)
    opt_m = torch.optim.RMSprop(maker.parameters(), lr=1e-3)
    for turn in range(turns):
        for _ in range(5):
            opt_c.zero_grad()
            fake = maker(torch.randn(4, 3)).detach()
            loss = critic(fake).mean() - critic(torch.randn(4, 2)).mean()
            loss.backward()
            opt_c.step()
        opt_m.zero_grad()
        loss_m = -critic(maker(torch.randn(4, 3))).mean()
        loss_m.backward()
        opt_m.step()
# === right: several turns of the critic, and the maker's turn clears what it leaves
import torch
from torch import nn


def train(turns=100):
    critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
    maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    opt_c = torch.optim.RMSprop(critic.parameters(), lr=1e-3)
    opt_m = torch.optim.RMSprop(maker.parameters(), lr=1e-3)
    for turn in range(turns):
        for _ in range(5):
            fake = maker(torch.randn(4, 3)).detach()
            loss = critic(fake).mean() - critic(torch.randn(4, 2)).mean()
            loss.backward()
            opt_c.step()
            opt_c.zero_grad()
        loss_m = -critic(maker(torch.randn(4, 3))).mean()
        loss_m.backward()
        opt_m.step()
        opt_m.zero_grad()
        opt_c.zero_grad()
# === right: a critic that an option trains is cleared of the encoder's loss, and the critics' own follows
import torch


def train(encoder, critic, films, loader, moves, lam):
    e_opt = torch.optim.Adam(encoder.parameters())
    d_opt = torch.optim.Adam(critic.parameters())
    f_opt = torch.optim.Adam(films.parameters())
    for x in loader:
        e_opt.zero_grad()
        e_loss = -films(encoder(x)).mean()
        e_loss.backward()
        if moves:
            e_opt.step()
        critic.zero_grad()
        if lam > 0:
            films.zero_grad()
        d_loss = critic(x).mean()
        d_loss.backward()
        d_opt.step()
        if lam > 0:
            f_opt.step()
