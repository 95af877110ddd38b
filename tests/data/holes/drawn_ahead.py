# === the batches of a turn are drawn ahead from a stream that tells nobody the epoch
import torch
from torch.utils.data import DataLoader, DistributedSampler


def forever(batches):
    while True:  # <- missing-set-epoch
        for batch in batches:
            yield batch


def fit(args, data, judge, maker):
    batches = forever(DataLoader(data, batch_size=4, sampler=DistributedSampler(data)))
    judging = torch.optim.Adam(judge.parameters())
    making = torch.optim.Adam(maker.parameters())
    for _ in range(args.turns):
        images = [next(batches).cuda() for _ in range(max(args.judge_steps, args.maker_steps))]
        for k in range(args.judge_steps):
            judging.zero_grad()
            judge(images[k]).mean().backward()
            judging.step()
        for k in range(args.maker_steps):
            making.zero_grad()
            maker(images[k]).mean().backward()
            making.step()


# === right: the stream that is drawn from ahead tells its sampler the epoch
import torch
from torch.utils.data import DataLoader, DistributedSampler


def forever(batches, sampler):
    epoch = 0
    while True:
        sampler.set_epoch(epoch)
        for batch in batches:
            yield batch
        epoch += 1


def fit(args, data, judge):
    sampler = DistributedSampler(data)
    batches = forever(DataLoader(data, batch_size=4, sampler=sampler), sampler)
    judging = torch.optim.Adam(judge.parameters())
    for _ in range(args.turns):
        images = [next(batches).cuda() for _ in range(args.judge_steps)]
        for k in range(args.judge_steps):
            judging.zero_grad()
            judge(images[k]).mean().backward()
            judging.step()


# === right: a sampler that does not shuffle, its batches drawn ahead
import torch
from torch.utils.data import DataLoader, DistributedSampler


def forever(batches):
    while True:
        for batch in batches:
            yield batch


def fit(args, data, judge):
    batches = forever(DataLoader(data, batch_size=4, sampler=DistributedSampler(data, shuffle=False)))
    judging = torch.optim.Adam(judge.parameters())
    for _ in range(args.turns):
        images = [next(batches).cuda() for _ in range(args.judge_steps)]
        for k in range(args.judge_steps):
            judging.zero_grad()
            judge(images[k]).mean().backward()
            judging.step()


# === right: what an epoch draws ahead is painted, and it trains on a loader
import torch
from torch.utils.data import DataLoader, DistributedSampler

from project import paint


def forever(batches):
    while True:
        for batch in batches:
            yield batch


def fit(args, data, held_out, net):
    train = DataLoader(data, batch_size=4, shuffle=True)
    samples = forever(DataLoader(held_out, batch_size=4, sampler=DistributedSampler(held_out)))
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(args.epochs):
        shown = next(samples)
        for i, batch in enumerate(train):
            optimizer.zero_grad()
            net(batch).mean().backward()
            optimizer.step()
            if i == 0:
                paint(shown)


# === right: what an epoch draws ahead is painted, and it trains on another stream
import torch
from torch.utils.data import DataLoader, DistributedSampler

from project import paint


def forever(batches):
    while True:
        for batch in batches:
            yield batch


def fit(args, data, held_out, net):
    stream = forever(DataLoader(data, batch_size=4, shuffle=True))
    samples = forever(DataLoader(held_out, batch_size=4, sampler=DistributedSampler(held_out)))
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(args.epochs):
        shown = next(samples)
        for k in range(args.steps):
            optimizer.zero_grad()
            net(next(stream)).mean().backward()
            optimizer.step()
            if k == 0:
                paint(shown)
