# === right: two critics clear what the maker's loss has left, and step with one loss that is named for the first
import torch
from torch import nn


def train(args, loader, maker, score):
    frames, films = nn.Linear(8, 1), nn.Linear(8, 1)
    d_optim = torch.optim.Adam(frames.parameters())
    dv_optim = torch.optim.Adam(films.parameters())
    m_optim = torch.optim.Adam(maker.parameters())
    for real in loader:
        fake = maker(real)
        m_loss = score(frames(fake)) + score(films(fake))
        if args.update_maker:
            maker.zero_grad()
        m_loss.backward()
        if args.update_maker:
            m_optim.step()
        fake = maker(real).detach()
        d_loss = score(frames(real)) - score(frames(fake))
        d_loss = d_loss + score(films(real)) - score(films(fake))
        if args.frames > 0:
            frames.zero_grad()
        if args.films > 0:
            films.zero_grad()
        d_loss.backward()
        if args.frames > 0:
            d_optim.step()
        if args.films > 0:
            dv_optim.step()
# === the second critic is cleared behind its loss
import torch
from torch import nn


def train(args, loader, maker, score):
    frames, films = nn.Linear(8, 1), nn.Linear(8, 1)
    d_optim = torch.optim.Adam(frames.parameters())
    dv_optim = torch.optim.Adam(films.parameters())
    for real in loader:
        fake = maker(real).detach()
        d_loss = score(frames(real)) - score(frames(fake))
        frames.zero_grad()
        d_loss.backward()
        dv_loss = score(films(real)) - score(films(fake))
        dv_loss.backward()
        films.zero_grad()  # <- zero-grad-before-step
        d_optim.step()
        dv_optim.step()
