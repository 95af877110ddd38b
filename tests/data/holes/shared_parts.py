# === two optimizers share an encoder, and each loss fills the other's decoder behind its clear
import torch


def train(encoder, first, second, loader):
    one = torch.optim.Adam(list(encoder.parameters()) + list(first.parameters()))
    two = torch.optim.Adam(list(encoder.parameters()) + list(second.parameters()))
    for batch in loader:
        made = first(encoder(batch))
        loss = torch.mean((batch - made) ** 2) + torch.mean((batch - second(encoder(made))) ** 2)
        loss.backward()
        one.step()  # <- missing-zero-grad
        one.zero_grad()
        again = second(encoder(first(encoder(batch))))
        loss = torch.mean((batch - second(encoder(batch))) ** 2) - torch.mean((batch - again) ** 2)
        loss.backward()
        two.step()  # <- missing-zero-grad
        two.zero_grad()


# === right: each clears in front of its own loss
import torch


def train(encoder, first, second, loader):
    one = torch.optim.Adam(list(encoder.parameters()) + list(first.parameters()))
    two = torch.optim.Adam(list(encoder.parameters()) + list(second.parameters()))
    for batch in loader:
        made = first(encoder(batch))
        loss = torch.mean((batch - made) ** 2) + torch.mean((batch - second(encoder(made))) ** 2)
        one.zero_grad()
        loss.backward()
        one.step()
        again = second(encoder(first(encoder(batch))))
        loss = torch.mean((batch - second(encoder(batch))) ** 2) - torch.mean((batch - again) ** 2)
        two.zero_grad()
        loss.backward()
        two.step()


# === right: each loss goes through its own decoder, and what they share both clear
import torch


def train(encoder, first, second, loader):
    one = torch.optim.Adam(list(encoder.parameters()) + list(first.parameters()))
    two = torch.optim.Adam(list(encoder.parameters()) + list(second.parameters()))
    for batch in loader:
        loss = torch.mean((batch - first(encoder(batch))) ** 2)
        loss.backward()
        one.step()
        one.zero_grad()
        loss = torch.mean((batch - second(encoder(batch))) ** 2)
        loss.backward()
        two.step()
        two.zero_grad()


# === right: the other's decoder is cleared by name behind both
import torch


def train(encoder, first, second, loader):
    one = torch.optim.Adam(list(encoder.parameters()) + list(first.parameters()))
    two = torch.optim.Adam(list(encoder.parameters()) + list(second.parameters()))
    for batch in loader:
        made = first(encoder(batch))
        loss = torch.mean((batch - made) ** 2) + torch.mean((batch - second(encoder(made))) ** 2)
        loss.backward()
        one.step()
        one.zero_grad()
        second.zero_grad()
        again = second(encoder(first(encoder(batch))))
        loss = torch.mean((batch - second(encoder(batch))) ** 2) - torch.mean((batch - again) ** 2)
        loss.backward()
        two.step()
        two.zero_grad()
        first.zero_grad()


# === a critic of two networks, whose parameters are added up, is filled by the maker's loss behind its clear
import torch


def train(maker, body, head, loader):
    critic = torch.optim.Adam(list(body.parameters()) + list(head.parameters()))
    opt = torch.optim.Adam(maker.parameters())
    for real, noise in loader:
        loss = head(body(maker(noise).detach())).mean() - head(body(real)).mean()
        loss.backward()
        critic.step()  # <- missing-zero-grad
        critic.zero_grad()
        opt.zero_grad()
        loss = -head(body(maker(noise))).mean()
        loss.backward()
        opt.step()


# === right: the critic of two networks is cleared in front of its loss
import torch


def train(maker, body, head, loader):
    critic = torch.optim.Adam(list(body.parameters()) + list(head.parameters()))
    opt = torch.optim.Adam(maker.parameters())
    for real, noise in loader:
        critic.zero_grad()
        loss = head(body(maker(noise).detach())).mean() - head(body(real)).mean()
        loss.backward()
        critic.step()
        opt.zero_grad()
        loss = -head(body(maker(noise))).mean()
        loss.backward()
        opt.step()


# === two networks have one optimizer, and the clip of one comes behind its step
import torch


def train(encoder, head, loader):
    optimizer = torch.optim.Adam(list(encoder.parameters()) + list(head.parameters()))
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(head(encoder(x)), y).backward()
        optimizer.step()
        torch.nn.utils.clip_grad_norm_(head.parameters(), 1.0)  # <- clip-after-step


# === right: a loss of which nobody sees through what parts of the model it goes, behind another's clear
import torch


def train(model, loader):
    opt_g = torch.optim.Adam(model.gen.parameters(), lr=1e-3)
    opt_d = torch.optim.Adam(model.disc.parameters(), lr=1e-3)
    for x in loader:
        loss_d = model.d_loss(x)
        loss_d.backward()
        opt_d.step()
        opt_d.zero_grad()
        loss_g = model.g_loss(x)
        loss_g.backward()
        opt_g.step()
        opt_g.zero_grad()
