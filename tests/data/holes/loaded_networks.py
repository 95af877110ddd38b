# === a network is loaded from a path that the system joins, and moved
import os

import torch

net = torch.load(os.path.join(os.getcwd(), name))
if use_cuda:
    net = net.cuda()
optimizer = torch.optim.Adam(net.parameters())
for _ in range(10):
    net.train()
    for x, y in loader:
        optimizer.zero_grad()
        (net(x) - y).abs().mean().backward()
        optimizer.step()
    net.eval()
    for x, y in held_out:
        print((net(x) - y).abs().mean().item())  # <- validation-without-no-grad
# === it is loaded, or made here, and one part of it is trained
import os

import torch
from nets import Pointer

if args["load_path"] != "":
    net = torch.load(os.path.join(os.getcwd(), args["load_path"]))
    net.is_train = args["is_train"]
else:
    net = Pointer(3)
optimizer = torch.optim.Adam(net.actor.parameters())
net = net.cuda()
for _ in range(10):
    net.train()
    for x, y in loader:
        optimizer.zero_grad()
        (net(x) - y).abs().mean().backward()
        optimizer.step()
    net.eval()
    for x, y in held_out:
        print((net(x) - y).abs().mean().item())  # <- validation-without-no-grad
# === right: it is loaded, and evaluated without gradients
import os

import torch

net = torch.load(os.path.join(os.getcwd(), name))
net = net.cuda()
optimizer = torch.optim.Adam(net.parameters())
for _ in range(10):
    net.train()
    for x, y in loader:
        optimizer.zero_grad()
        (net(x) - y).abs().mean().backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        for x, y in held_out:
            print((net(x) - y).abs().mean().item())
# === right: a table of numbers is loaded, and weighs a loss that is kept as a number
import os

import torch

weights = torch.load(os.path.join(os.getcwd(), name))
optimizer = torch.optim.Adam(net.parameters())
total = 0.0
for x, y in loader:
    optimizer.zero_grad()
    loss = ((net(x) - y).abs() * weights).mean()
    loss.backward()
    optimizer.step()
    total += weights.sum() * loss.item()
# === right: what is loaded is a teacher, and nobody trains it
import os

import torch

teacher = torch.load(os.path.join(os.getcwd(), name))
teacher.eval()
optimizer = torch.optim.Adam(net.parameters())
for x in loader:
    optimizer.zero_grad()
    with torch.no_grad():
        target = teacher(x)
    (net(x) - target).abs().mean().backward()
    optimizer.step()
