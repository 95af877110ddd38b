"""One method adds to a total with its graph, another sets it anew: whoever calls them may do that in turn."""

# === right: a method that trains by itself sets the total anew, and may be called after each action
import torch
from torch import nn


class Agent:
    def __init__(self, net, critic):
        self.net, self.critic = net, critic
        self.opt, self.critic_opt = torch.optim.Adam(net.parameters()), torch.optim.Adam(critic.parameters())
        self.total = self.count = 0

    def act(self, state):
        wish, spread = self.net(state)
        loss = nn.functional.mse_loss(wish, state) + spread.mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.total += loss
        return wish.detach()

    def step(self, state, reward):
        told = self.total
        self.total = 0
        error = nn.functional.mse_loss(self.critic(state), reward)
        self.critic_opt.zero_grad()
        error.backward()
        self.critic_opt.step()
        return told
# === right: it is set together with something else
import torch
from torch import nn


class Agent:
    def __init__(self, net, critic):
        self.net, self.critic = net, critic
        self.opt, self.critic_opt = torch.optim.Adam(net.parameters()), torch.optim.Adam(critic.parameters())
        self.total = self.count = 0

    def act(self, state):
        wish, spread = self.net(state)
        loss = nn.functional.mse_loss(wish, state) + spread.mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.total += loss
        return wish.detach()

    def step(self, state, reward):
        told = self.total
        self.count = self.total = 0
        error = nn.functional.mse_loss(self.critic(state), reward)
        self.critic_opt.zero_grad()
        error.backward()
        self.critic_opt.step()
        return told
# === the method that sets it anew trains nothing, and may come once in an epoch
import torch
from torch import nn


class Agent:
    def __init__(self, net, critic):
        self.net, self.critic = net, critic
        self.opt, self.critic_opt = torch.optim.Adam(net.parameters()), torch.optim.Adam(critic.parameters())
        self.total = self.count = 0

    def act(self, state):
        wish, spread = self.net(state)
        loss = nn.functional.mse_loss(wish, state) + spread.mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.total += loss  # <- loss-graph-leak
        return wish.detach()

    def step(self, state, reward):
        told = self.total
        self.total = 0
        error = nn.functional.mse_loss(self.critic(state), reward)
        told += error.item()
        return told
# === nothing sets it anew
import torch
from torch import nn


class Agent:
    def __init__(self, net, critic):
        self.net, self.critic = net, critic
        self.opt, self.critic_opt = torch.optim.Adam(net.parameters()), torch.optim.Adam(critic.parameters())
        self.total = self.count = 0

    def act(self, state):
        wish, spread = self.net(state)
        loss = nn.functional.mse_loss(wish, state) + spread.mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.total += loss  # <- loss-graph-leak
        return wish.detach()

    def step(self, state, reward):
        told = self.total
        error = nn.functional.mse_loss(self.critic(state), reward)
        self.critic_opt.zero_grad()
        error.backward()
        self.critic_opt.step()
        return told
# === it is set anew now and then
import torch
from torch import nn


class Agent:
    def __init__(self, net, critic):
        self.net, self.critic = net, critic
        self.opt, self.critic_opt = torch.optim.Adam(net.parameters()), torch.optim.Adam(critic.parameters())
        self.total = self.count = 0

    def act(self, state):
        wish, spread = self.net(state)
        loss = nn.functional.mse_loss(wish, state) + spread.mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.total += loss  # <- loss-graph-leak
        return wish.detach()

    def step(self, state, reward):
        told = self.total
        if len(state) > 100:
            self.total = 0
        error = nn.functional.mse_loss(self.critic(state), reward)
        self.critic_opt.zero_grad()
        error.backward()
        self.critic_opt.step()
        return told
# === the method that sets it anew calls the one that adds, time and again
import torch
from torch import nn


class Agent:
    def __init__(self, net, critic):
        self.net, self.critic = net, critic
        self.opt, self.critic_opt = torch.optim.Adam(net.parameters()), torch.optim.Adam(critic.parameters())
        self.total = self.count = 0

    def act(self, state):
        wish, spread = self.net(state)
        loss = nn.functional.mse_loss(wish, state) + spread.mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.total += loss  # <- loss-graph-leak
        return wish.detach()

    def step(self, state, reward):
        told = self.total
        self.total = 0
        error = nn.functional.mse_loss(self.critic(state), reward)
        self.critic_opt.zero_grad()
        error.backward()
        self.critic_opt.step()
        for one in state:
            self.act(one)
        return told
