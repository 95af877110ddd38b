# === the network inside DDP is called
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, loader, rank):
    model = DDP(net, device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        loss = F.cross_entropy(model.module(x), y)
        loss.backward()
        optimizer.step()  # <- step-without-sync
        optimizer.zero_grad()
# === a method of the network inside DDP, of a class from elsewhere
import torch
from nets import Diffusion
from torch.nn.parallel import DistributedDataParallel as DDP


def one_epoch(model, optimizer, loader):
    for x in loader:
        optimizer.zero_grad()
        loss = model.module.get_loss(x)
        loss.backward()
        optimizer.step()  # <- step-without-sync


def train(loader, rank):
    model = DDP(Diffusion(), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(10):
        loader.sampler.set_epoch(epoch)
        one_epoch(torch.compile(model), optimizer, loader)
# === a method of the network inside DDP, of a class in this file
import torch
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def get_loss(self, x):
        return self.layer(x).pow(2).mean()


def train(loader, rank):
    model = DDP(Net(), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        model.module.get_loss(x).backward()
        optimizer.step()  # <- step-without-sync
        optimizer.zero_grad()
# === right: the wrapper is called, and what is inside it only asked
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, loader, rank):
    model = DDP(net, device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        loss = F.cross_entropy(model(x), y) + model.module.penalty_loss(x)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
# === right: the wrapper hands out features, a loss inside it judges them
import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, loader, rank):
    model = DDP(net, device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        loss = model.module.get_loss(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
# === right: one process takes the network out and trains it alone
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, loader, rank, distributed):
    model = net
    if distributed:
        model = DDP(net, device_ids=[rank])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    with torch.no_grad():
        for x, y in loader:
            print(F.cross_entropy(net(x), y))
# === right: past the wrapper, and reduced by hand
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, loader, rank):
    model = DDP(net, device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        F.cross_entropy(model.module(x), y).backward()
        for p in model.parameters():
            dist.all_reduce(p.grad)
            p.grad /= dist.get_world_size()
        optimizer.step()
        optimizer.zero_grad()
# === right: DataParallel has no ranks
import torch
import torch.nn.functional as F


def train(net, loader):
    model = torch.nn.DataParallel(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        F.cross_entropy(model.module(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()
# === right: a discriminator past its wrapper, for the generator's step
import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def train(G, D, loader, rank):
    G, D = DDP(G, device_ids=[rank]), DDP(D, device_ids=[rank])
    opt_g = torch.optim.Adam(G.parameters())
    opt_d = torch.optim.Adam(D.parameters())
    for x, z in loader:
        opt_d.zero_grad()
        loss_d = D(G(z).detach()).mean() - D(x).mean()
        loss_d.backward()
        opt_d.step()
        opt_g.zero_grad()
        loss_g = -D.module(G(z)).mean()
        loss_g.backward()
        opt_g.step()
# === right: a wrapper that `main` puts into a global name
import torch
import torch.nn.functional as F


def train(loader):
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def main(config, args, loader):
    global model, optimizer, model_without_ddp
    model = config.model()
    optimizer = config.optimizer(model.parameters())
    if args.ddp:
        model = torch.nn.parallel.DistributedDataParallel(model)
        model_without_ddp = model.module
    train(loader)
# === a wrapper that `main` puts into a global name
import torch
import torch.nn.functional as F


def train(loader, accum):
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y) / accum
        loss.backward()  # <- missing-no-sync
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


def main(config, loader, accum):
    global model, optimizer
    model = torch.nn.parallel.DistributedDataParallel(config.model())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    train(loader, accum)
# === one of two networks goes past its wrapper
import torch
import torch.nn.functional as F
from nets import Decoder, Encoder
from torch.nn.parallel import DistributedDataParallel as DDP


def train(loader, rank):
    encoder = DDP(Encoder(), device_ids=[rank])
    decoder = DDP(Decoder(), device_ids=[rank])
    enc_optim = torch.optim.Adam(encoder.parameters(), lr=1e-4)
    dec_optim = torch.optim.Adam(decoder.parameters(), lr=1e-4)
    for x, y in loader:
        z = encoder(x)
        out = decoder.module.rollout(z, 20)
        loss = F.mse_loss(out, y)
        enc_optim.zero_grad()
        dec_optim.zero_grad()
        loss.backward()
        enc_optim.step()
        dec_optim.step()  # <- step-without-sync
# === right: both networks go through their wrappers, one is asked for its prior besides
import torch
import torch.nn.functional as F
from nets import Decoder, Encoder
from torch.nn.parallel import DistributedDataParallel as DDP


def train(loader, rank):
    encoder = DDP(Encoder(), device_ids=[rank])
    decoder = DDP(Decoder(), device_ids=[rank])
    enc_optim = torch.optim.Adam(encoder.parameters(), lr=1e-4)
    dec_optim = torch.optim.Adam(decoder.parameters(), lr=1e-4)
    for x, y in loader:
        z = encoder(x)
        loss = F.mse_loss(decoder(z), y) + decoder.module.prior(z).mean()
        enc_optim.zero_grad()
        dec_optim.zero_grad()
        loss.backward()
        enc_optim.step()
        dec_optim.step()
# === right: the network that goes past its wrapper is frozen, and has no optimizer
import torch
import torch.nn.functional as F
from nets import Decoder, Encoder
from torch.nn.parallel import DistributedDataParallel as DDP


def train(loader, rank):
    encoder = DDP(Encoder(), device_ids=[rank])
    decoder = DDP(Decoder(), device_ids=[rank])
    enc_optim = torch.optim.Adam(encoder.parameters(), lr=1e-4)
    for x, y in loader:
        loss = F.mse_loss(decoder.module.rollout(encoder(x)), y)
        enc_optim.zero_grad()
        loss.backward()
        enc_optim.step()
