# === right: one sum a step, over the networks
import torch


def train(gen, critics, optimizers, gen_optimizer, loader, steps, critic_loss):
    for epoch in range(4):
        batches = iter(loader)
        step = 0
        while step < steps:
            real, noise = next(batches)
            fake = gen(noise)
            total = 0
            for i in range(len(critics)):
                critics[i].zero_grad()
                loss = critic_loss(critics[i], real, fake.detach())
                loss.backward()
                optimizers[i].step()
                total += loss
            step += 1
            gen.zero_grad()
            (-critics[0](fake).mean()).backward()
            gen_optimizer.step()
            print(total.item())
# === one sum for all steps, over the networks
import torch


def train(gen, critics, optimizers, gen_optimizer, loader, steps, critic_loss):
    for epoch in range(4):
        batches = iter(loader)
        step = 0
        total = 0
        while step < steps:
            real, noise = next(batches)
            fake = gen(noise)
            for i in range(len(critics)):
                critics[i].zero_grad()
                loss = critic_loss(critics[i], real, fake.detach())
                loss.backward()
                optimizers[i].step()
                total += loss  # <- loss-graph-leak
            step += 1
            gen.zero_grad()
            (-critics[0](fake).mean()).backward()
            gen_optimizer.step()
        print(total.item())
# === right: each network beside its optimizer
import torch


def train(nets, optimizers, loader, criterion):
    for x, y in loader:
        total = 0.0
        for net, optimizer in zip(nets, optimizers):
            net.zero_grad()
            loss = criterion(net(x), y)
            loss.backward()
            optimizer.step()
            total = total + loss
        print(float(total))
# === each network beside its optimizer, and a sum that is never begun anew
import torch


def train(nets, optimizers, loader, criterion):
    total = 0.0
    for x, y in loader:
        for net, optimizer in zip(nets, optimizers):
            net.zero_grad()
            loss = criterion(net(x), y)
            loss.backward()
            optimizer.step()
            total = total + loss  # <- loss-graph-leak
    print(float(total))
# === a batch at a time for one network of several
import torch


def train(nets, optimizers, loader, criterion):
    for i in range(len(nets)):
        total = 0.0
        for x, y in loader:
            nets[i].zero_grad()
            loss = criterion(nets[i](x), y)
            loss.backward()
            optimizers[i].step()
            total += loss  # <- loss-graph-leak
        print(float(total))
