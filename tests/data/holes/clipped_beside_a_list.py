"""One of several optimizers in a list steps, and something is clipped behind it: whose gradients are these?"""

# === right: a network that the losses do not go through here, and that another optimizer of the list has
import torch
from torch.nn.utils import clip_grad_norm_


class Learner:
    def __init__(self, net, encoder, optimizers, limit):
        self.net, self.encoder = net, encoder
        self.optimizers, self.limit = optimizers, limit

    def step(self, tasks, hints):
        for optimizer in self.optimizers:
            optimizer.zero_grad()
        losses = [torch.nn.functional.mse_loss(self.net(task.x, hint), task.y) for task, hint in zip(tasks, hints)]
        torch.stack(losses).mean().backward()
        self.optimizers[0].step()
        if len(self.optimizers) > 1:
            clip_grad_norm_(self.encoder.parameters(), self.limit)
# === right: whatever the guard asks
import torch
from torch.nn.utils import clip_grad_norm_


class Learner:
    def __init__(self, net, encoder, optimizers, limit):
        self.net, self.encoder = net, encoder
        self.optimizers, self.limit = optimizers, limit

    def step(self, tasks, hints):
        for optimizer in self.optimizers:
            optimizer.zero_grad()
        losses = [torch.nn.functional.mse_loss(self.net(task.x, hint), task.y) for task, hint in zip(tasks, hints)]
        torch.stack(losses).mean().backward()
        self.optimizers[0].step()
        if self.limit > 0:
            clip_grad_norm_(self.encoder.parameters(), self.limit)
# === the network that the losses go through
import torch
from torch.nn.utils import clip_grad_norm_


class Learner:
    def __init__(self, net, encoder, optimizers, limit):
        self.net, self.encoder = net, encoder
        self.optimizers, self.limit = optimizers, limit

    def step(self, tasks, hints):
        for optimizer in self.optimizers:
            optimizer.zero_grad()
        losses = [torch.nn.functional.mse_loss(self.net(task.x, hint), task.y) for task, hint in zip(tasks, hints)]
        torch.stack(losses).mean().backward()
        self.optimizers[0].step()
        if self.limit > 0:
            clip_grad_norm_(self.net.parameters(), self.limit)  # <- clip-after-step
# === a part of the network that the losses go through
import torch
from torch.nn.utils import clip_grad_norm_


class Learner:
    def __init__(self, net, encoder, optimizers, limit):
        self.net, self.encoder = net, encoder
        self.optimizers, self.limit = optimizers, limit

    def step(self, tasks, hints):
        for optimizer in self.optimizers:
            optimizer.zero_grad()
        losses = [torch.nn.functional.mse_loss(self.net(task.x, hint), task.y) for task, hint in zip(tasks, hints)]
        torch.stack(losses).mean().backward()
        self.optimizers[0].step()
        if self.limit > 0:
            clip_grad_norm_(self.net.head.parameters(), self.limit)  # <- clip-after-step
# === one optimizer, whose parameters nobody sees, and the network has another name
import torch
from torch.nn.utils import clip_grad_norm_


class Learner:
    def __init__(self, net, encoder, optimizer, limit):
        self.net, self.encoder = net, encoder
        self.optimizer, self.limit = optimizer, limit

    def step(self, tasks, hints):
        self.optimizer.zero_grad()
        losses = [torch.nn.functional.mse_loss(self.net(task.x, hint), task.y) for task, hint in zip(tasks, hints)]
        torch.stack(losses).mean().backward()
        self.optimizer.step()
        if self.limit > 0:
            clip_grad_norm_(self.encoder.parameters(), self.limit)  # <- clip-after-step
