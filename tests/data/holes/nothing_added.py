# === right: where nothing is added to the loss, it is a number, and has no backward
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--weight", type=float, default=1.0)
args = parser.parse_args()


class Agent:
    def __init__(self, net):
        self.net = net
        self.loss = 0
        self.optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)

    def rollout(self, obs, weight):
        if weight is not None:
            self.loss += self.net(obs).mean() * weight
            self.loss /= len(obs)

    def train(self, envs, n):
        for _ in range(n):
            self.optimizer.zero_grad()
            self.loss = 0
            self.rollout(envs.reset(), args.weight)
            self.loss.backward()
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 40.0)
            self.optimizer.step()


def main(net, envs, other):
    agent = Agent(net)
    for _ in range(1000):
        agent.train(envs, 1)
        agent.train(other, 1)
# === the clip comes after the step where something is
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--weight", type=float, default=1.0)
args = parser.parse_args()


class Agent:
    def __init__(self, net):
        self.net = net
        self.loss = 0
        self.optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)

    def rollout(self, obs, weight):
        if weight is not None:
            self.loss += self.net(obs).mean() * weight
            self.loss /= len(obs)

    def train(self, envs, n):
        for _ in range(n):
            self.optimizer.zero_grad()
            self.loss = 0
            self.rollout(envs.reset(), args.weight)
            self.loss.backward()
            self.optimizer.step()
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 40.0)  # <- clip-after-step


def main(net, envs, other):
    agent = Agent(net)
    for _ in range(1000):
        agent.train(envs, 1)
        agent.train(other, 1)
# === right: nobody sees what is added to the loss
import argparse

import torch
from memory import Memory

parser = argparse.ArgumentParser()
parser.add_argument("--weight", type=float, default=1.0)
args = parser.parse_args()


class Agent:
    def __init__(self, net):
        self.net = net
        self.loss = 0
        self.memory = Memory(self)
        self.optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)

    def rollout(self, obs, weight):
        self.memory.store(obs, weight)

    def train(self, envs, n):
        for _ in range(n):
            self.optimizer.zero_grad()
            self.loss = 0
            self.rollout(envs.reset(), args.weight)
            self.loss.backward()
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 40.0)
            self.optimizer.step()


def main(net, envs, other):
    agent = Agent(net)
    for _ in range(1000):
        agent.train(envs, 1)
        agent.train(other, 1)
