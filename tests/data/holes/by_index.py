"""A loss that meets a network only through an index, a mask or a comparison sends it nothing."""

# === right: the critic reads pieces that are cut where the maker says, and its maker is cleared behind the step
import torch
from torch import nn
import torch.nn.functional as F


def pieces(waves, starts, size):
    index = torch.arange(size)[None] + starts[:, None]
    return torch.gather(waves, dim=1, index=index)


def train(batches):
    maker, critic = nn.Linear(16, 16), nn.Linear(4, 1)
    opt_m = torch.optim.AdamW(maker.parameters(), lr=1e-4)
    opt_c = torch.optim.AdamW(critic.parameters(), lr=1e-4)
    for waves in batches:
        opt_c.zero_grad()
        made = maker(waves)
        starts = made[:, :12].argmax(1)
        scores = critic(pieces(waves, starts, 4)), critic(pieces(made.detach(), starts, 4))
        (scores[0].mean() - scores[1].mean()).backward()
        opt_c.step()
        F.l1_loss(pieces(made, starts, 4), pieces(waves, starts, 4)).backward()
        opt_m.step()
        opt_m.zero_grad()
# === what the critic reads is made, and the maker is cleared too early
import torch
from torch import nn
import torch.nn.functional as F


def pieces(waves, starts, size):
    index = torch.arange(size)[None] + starts[:, None]
    return torch.gather(waves, dim=1, index=index)


def train(batches):
    maker, critic = nn.Linear(16, 16), nn.Linear(4, 1)
    opt_m = torch.optim.AdamW(maker.parameters(), lr=1e-4)
    opt_c = torch.optim.AdamW(critic.parameters(), lr=1e-4)
    for waves in batches:
        opt_c.zero_grad()
        made = maker(waves)
        starts = made[:, :12].argmax(1)
        scores = critic(pieces(waves, starts, 4)), critic(pieces(made, starts, 4))
        (scores[0].mean() - scores[1].mean()).backward(retain_graph=True)
        opt_c.step()
        F.l1_loss(pieces(made, starts, 4), pieces(waves, starts, 4)).backward()
        opt_m.step()  # <- missing-zero-grad
        opt_m.zero_grad()
# === right: a judge learns on what the other finds likely
import torch
from torch import nn


def train(batches):
    judge, finder = nn.Linear(16, 16), nn.Linear(16, 16)
    opt_j = torch.optim.AdamW(judge.parameters(), lr=1e-4)
    opt_f = torch.optim.AdamW(finder.parameters(), lr=1e-4)
    for x, y in batches:
        opt_j.zero_grad()
        found = finder(x)
        best, where = found.topk(3, dim=1)
        likely = torch.where(found > 0, judge(x), 0.0)
        (likely.square().mean() + judge(x).gather(1, where).mean()).backward()
        opt_j.step()
        (best.mean() + (found - y).square().mean()).backward()
        opt_f.step()
        opt_f.zero_grad()
# === a judge that is weighed by what the other finds
import torch
from torch import nn


def train(batches):
    judge, finder = nn.Linear(16, 16), nn.Linear(16, 16)
    opt_j = torch.optim.AdamW(judge.parameters(), lr=1e-4)
    opt_f = torch.optim.AdamW(finder.parameters(), lr=1e-4)
    for x, y in batches:
        opt_j.zero_grad()
        found = finder(x)
        best, where = found.topk(3, dim=1)
        likely = torch.where(found > 0, judge(x), 0.0)
        (likely.square().mean() + (best * judge(x).gather(1, where)).mean()).backward(retain_graph=True)
        opt_j.step()
        (best.mean() + (found - y).square().mean()).backward()
        opt_f.step()  # <- missing-zero-grad
        opt_f.zero_grad()
