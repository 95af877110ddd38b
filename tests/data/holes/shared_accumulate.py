# === two optimizers take turns in one accumulate, and one is cleared ahead of its backward
import torch
from accelerate import Accelerator

accelerator = Accelerator(gradient_accumulation_steps=4)


def train(maker, critic, loader):
    opt = torch.optim.SGD(maker.parameters(), lr=0.1)
    critic_opt = torch.optim.SGD(critic.parameters(), lr=0.1)
    maker, opt, critic, critic_opt, loader = accelerator.prepare(maker, opt, critic, critic_opt, loader)
    updates = 0
    for x, y in loader:
        with accelerator.accumulate(maker, critic):
            fake = maker(x)
            if updates % 2 == 0:
                critic_opt.zero_grad()  # <- zero-grad-in-accumulation
                accelerator.backward(critic(fake, y).mean())
                critic_opt.step()
                critic_opt.zero_grad()
            else:
                accelerator.backward(-critic(fake, y).mean())
                opt.step()
                opt.zero_grad()
        if accelerator.sync_gradients:
            updates += 1

# === the same, detached
import torch
from accelerate import Accelerator

accelerator = Accelerator(gradient_accumulation_steps=4)


def train(maker, critic, loader):
    opt = torch.optim.SGD(maker.parameters(), lr=0.1)
    critic_opt = torch.optim.SGD(critic.parameters(), lr=0.1)
    maker, opt, critic, critic_opt, loader = accelerator.prepare(maker, opt, critic, critic_opt, loader)
    updates = 0
    for x, y in loader:
        with accelerator.accumulate(maker, critic):
            fake = maker(x)
            if updates % 2 == 0:
                critic_opt.zero_grad()  # <- zero-grad-in-accumulation
                accelerator.backward(critic(fake.detach(), y).mean())
                critic_opt.step()
                critic_opt.zero_grad()
            else:
                accelerator.backward(-critic(fake, y).mean())
                opt.step()
                opt.zero_grad()
        if accelerator.sync_gradients:
            updates += 1

# === the critic is cleared behind each step only
import torch
from accelerate import Accelerator

accelerator = Accelerator(gradient_accumulation_steps=4)


def train(maker, critic, loader):
    opt = torch.optim.SGD(maker.parameters(), lr=0.1)
    critic_opt = torch.optim.SGD(critic.parameters(), lr=0.1)
    maker, opt, critic, critic_opt, loader = accelerator.prepare(maker, opt, critic, critic_opt, loader)
    updates = 0
    for x, y in loader:
        with accelerator.accumulate(maker, critic):
            fake = maker(x)
            if updates % 2 == 0:
                accelerator.backward(critic(fake.detach(), y).mean())
                critic_opt.step()
                critic_opt.zero_grad()
            else:
                accelerator.backward(-critic(fake, y).mean())
                opt.step()
                opt.zero_grad()
                critic_opt.zero_grad()
        if accelerator.sync_gradients:
            updates += 1

# === an accumulate for each optimizer counts a batch twice
import torch
from accelerate import Accelerator

accelerator = Accelerator(gradient_accumulation_steps=4)


def train(maker, critic, loader):
    opt = torch.optim.SGD(maker.parameters(), lr=0.1)
    critic_opt = torch.optim.SGD(critic.parameters(), lr=0.1)
    maker, opt, critic, critic_opt, loader = accelerator.prepare(maker, opt, critic, critic_opt, loader)
    for x, y in loader:
        fake = maker(x)
        with accelerator.accumulate(critic):
            critic_opt.zero_grad()
            accelerator.backward(critic(fake.detach(), y).mean())
            critic_opt.step()
        with accelerator.accumulate(maker):
            opt.zero_grad()
            accelerator.backward(-critic(fake, y).mean())
            opt.step()

# === right: optimizers that are handed in, each clipped where its window ends
def train(maker, critic, opt, critic_opt, accelerator, loader, cfg):
    for x, y in loader:
        with accelerator.accumulate([maker, critic]):
            fake = maker(x)
            accelerator.backward(critic(fake, y, mode="maker"))
            if cfg.max_norm is not None and accelerator.sync_gradients:
                accelerator.clip_grad_norm_(maker.parameters(), cfg.max_norm)
            opt.step()
            opt.zero_grad()
            accelerator.backward(critic(fake, y, mode="critic"))
            if cfg.max_norm is not None and accelerator.sync_gradients:
                accelerator.clip_grad_norm_(critic.parameters(), cfg.max_norm)
            critic_opt.step()
            critic_opt.zero_grad()
