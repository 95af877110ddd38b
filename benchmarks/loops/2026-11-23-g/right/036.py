import torch
from torch import nn


class State(dict):
    """What a checkpoint would hold."""
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__


def fresh():
    torch.manual_seed(3)
    model = nn.Sequential(nn.Embedding(16, 8), nn.Flatten(), nn.Linear(32, 16))
    opt = torch.optim.AdamW(model.parameters(), lr=1e-2)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=1e-2, total_steps=6)
    return State(model=model, opt=opt, sched=sched, micro=0)


def restore(snapshot):
    s = fresh()
    for key in ("model", "opt", "sched"):
        s[key].load_state_dict(snapshot[key])
    s.micro = snapshot["micro"]
    return s


def snapshot(s):
    return {k: (v.state_dict() if hasattr(v, "state_dict") else v) for k, v in s.items()}


def batch(i):
    g = torch.Generator().manual_seed(i)
    ids = torch.randint(0, 16, (6, 4), generator=g)
    return ids, ids.sum(1) % 16


def advance(s, until, accum=3):
    while s.micro < until:
        x, y = batch(s.micro)
        loss = nn.functional.cross_entropy(s.model(x), y)
        (loss / accum).backward()
        if s.micro % accum == accum - 1:
            s.opt.step()
            s.sched.step()
            s.opt.zero_grad(set_to_none=True)
        s.micro += 1
    print("micro", s.micro, "lr", s.sched.get_last_lr()[0], "loss", loss.item())


state = fresh()
advance(state, until=9)
saved = snapshot(state)
state = restore(saved)
advance(state, until=18)
