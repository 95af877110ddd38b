# === the forward runs outside of what its backward is in
import torch
import torch.nn.functional as F
from accelerate import Accelerator
from diffusers import AutoencoderKL


def train(args, loader):
    accelerator = Accelerator(gradient_accumulation_steps=args.gradient_accumulation_steps)
    net = AutoencoderKL.from_config(args.config)
    optimizer = torch.optim.AdamW(net.parameters())
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    print("main", accelerator.is_local_main_process)
    for images in loader:
        out = net(images).sample  # <- forward-outside-no-sync
        with accelerator.accumulate(net):
            accelerator.backward(F.mse_loss(out, images))
            optimizer.step()
            optimizer.zero_grad()
# === the forward goes past the wrapper, which never gets ready
import torch
import torch.nn.functional as F
from accelerate import Accelerator
from diffusers import AutoencoderKL


def train(args, loader):
    accelerator = Accelerator(gradient_accumulation_steps=args.gradient_accumulation_steps)
    net = AutoencoderKL.from_config(args.config)
    optimizer = torch.optim.AdamW(net.parameters())
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    print("main", accelerator.is_local_main_process)
    for images in loader:
        hidden = accelerator.unwrap_model(net).encode(images).latent_dist.sample()
        out = accelerator.unwrap_model(net).decode(hidden).sample
        with accelerator.accumulate(net):
            accelerator.backward(F.mse_loss(out, images))
            optimizer.step()  # <- step-without-sync
            optimizer.zero_grad()
# === a part goes past the wrapper, and then the whole through it
import torch
import torch.nn.functional as F
from accelerate import Accelerator
from diffusers import AutoencoderKL


def train(args, loader):
    accelerator = Accelerator(gradient_accumulation_steps=args.gradient_accumulation_steps)
    net = AutoencoderKL.from_config(args.config)
    optimizer = torch.optim.AdamW(net.parameters())
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    print("main", accelerator.is_local_main_process)
    for images in loader:
        hidden = accelerator.unwrap_model(net).encode(images)
        out = net(hidden)  # <- forward-outside-no-sync
        with accelerator.accumulate(net):
            accelerator.backward(F.mse_loss(out, images))
            optimizer.step()
            optimizer.zero_grad()
# === right: what is not given to accumulate is in no context at all
import torch
import torch.nn.functional as F
from accelerate import Accelerator


def train(args, loader):
    accelerator = Accelerator(gradient_accumulation_steps=args.gradient_accumulation_steps)
    net, encoder = torch.nn.Linear(8, 8), torch.nn.Linear(8, 8)
    optimizer = torch.optim.AdamW([{"params": net.parameters()}, {"params": encoder.parameters()}])
    net, encoder, optimizer, loader = accelerator.prepare(net, encoder, optimizer, loader)
    print("main", accelerator.is_local_main_process)
    for images, texts in loader:
        said = encoder(texts)
        with accelerator.accumulate(net):
            accelerator.backward(F.mse_loss(net(images + said), images))
            optimizer.step()
            optimizer.zero_grad()
# === both are given to it, and one forward runs before it
import torch
import torch.nn.functional as F
from accelerate import Accelerator


def train(args, loader):
    accelerator = Accelerator(gradient_accumulation_steps=args.gradient_accumulation_steps)
    net, encoder = torch.nn.Linear(8, 8), torch.nn.Linear(8, 8)
    optimizer = torch.optim.AdamW([{"params": net.parameters()}, {"params": encoder.parameters()}])
    net, encoder, optimizer, loader = accelerator.prepare(net, encoder, optimizer, loader)
    print("main", accelerator.is_local_main_process)
    for images, texts in loader:
        said = encoder(texts)  # <- forward-outside-no-sync
        with accelerator.accumulate(net, encoder):
            accelerator.backward(F.mse_loss(net(images + said), images))
            optimizer.step()
            optimizer.zero_grad()
# === everything runs in it, one network past its wrapper
import torch
import torch.nn.functional as F
from accelerate import Accelerator


def train(args, loader):
    accelerator = Accelerator(gradient_accumulation_steps=args.gradient_accumulation_steps)
    net = torch.nn.Linear(8, 8)
    optimizer = torch.optim.AdamW(net.parameters())
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    print("main", accelerator.is_local_main_process)
    for images in loader:
        with accelerator.accumulate(net):
            accelerator.backward(F.mse_loss(accelerator.unwrap_model(net)(images), images))
            optimizer.step()  # <- step-without-sync
            optimizer.zero_grad()
# === right: the same where nothing says that there are several processes
import torch
import torch.nn.functional as F
from accelerate import Accelerator


def train(args, loader):
    accelerator = Accelerator(gradient_accumulation_steps=args.gradient_accumulation_steps)
    net = torch.nn.Linear(8, 8)
    optimizer = torch.optim.AdamW(net.parameters())
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    for images in loader:
        with accelerator.accumulate(net):
            accelerator.backward(F.mse_loss(accelerator.unwrap_model(net)(images), images))
            optimizer.step()
            optimizer.zero_grad()
# === the critic goes through its wrapper, and the network that is trained past its own
import torch
import torch.nn.functional as F
from accelerate import Accelerator


def train(args, loader, net, critic):
    accelerator = Accelerator(gradient_accumulation_steps=args.gradient_accumulation_steps)
    net, critic = torch.nn.Linear(8, 8), torch.nn.Linear(8, 1)
    optimizer = torch.optim.AdamW(net.parameters())
    net, critic, optimizer, loader = accelerator.prepare(net, critic, optimizer, loader)
    print("main", accelerator.is_local_main_process)
    for images in loader:
        made = accelerator.unwrap_model(net)(images)
        with accelerator.accumulate(net):
            accelerator.backward(F.mse_loss(made, images) - critic(made).mean())
            optimizer.step()  # <- step-without-sync
            optimizer.zero_grad()
# === right: both go through their wrappers
import torch
import torch.nn.functional as F
from accelerate import Accelerator


def train(args, loader, net, critic):
    accelerator = Accelerator(gradient_accumulation_steps=args.gradient_accumulation_steps)
    net, critic = torch.nn.Linear(8, 8), torch.nn.Linear(8, 1)
    optimizer = torch.optim.AdamW(net.parameters())
    net, critic, optimizer, loader = accelerator.prepare(net, critic, optimizer, loader)
    print("main", accelerator.is_local_main_process)
    for images in loader:
        with accelerator.accumulate(net):
            made = net(images)
            accelerator.backward(F.mse_loss(made, images) - critic(made).mean())
            optimizer.step()
            optimizer.zero_grad()
# === right: only what is drawn is made past the wrapper
import torch
import torch.nn.functional as F
from accelerate import Accelerator


def train(args, loader):
    accelerator = Accelerator()
    net = torch.nn.Linear(8, 8)
    optimizer = torch.optim.AdamW(net.parameters())
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    for step, images in enumerate(loader):
        accelerator.backward(F.mse_loss(net(images), images))
        optimizer.step()
        optimizer.zero_grad()
        if step % 100 == 0 and accelerator.is_main_process:
            with torch.no_grad():
                accelerator.print(accelerator.unwrap_model(net)(images).mean())
# === a loss that is written by hand has nothing to reduce
import torch
import torch.nn.functional as F
from accelerate import Accelerator

from torch import nn


class Distance(nn.Module):
    def __init__(self):
        super().__init__()
        self.mse = nn.MSELoss()

    def forward(self, made, wanted):
        return self.mse(made, wanted)


def train(args, loader):
    accelerator = Accelerator()
    net = torch.nn.Linear(8, 8)
    distance = Distance()
    optimizer = torch.optim.AdamW(net.parameters())
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    print("main", accelerator.is_local_main_process)
    for images in loader:
        accelerator.backward(distance(accelerator.unwrap_model(net)(images), images))
        optimizer.step()  # <- step-without-sync
        optimizer.zero_grad()
# === right: the same through the wrapper
import torch
import torch.nn.functional as F
from accelerate import Accelerator

from torch import nn


class Distance(nn.Module):
    def __init__(self):
        super().__init__()
        self.mse = nn.MSELoss()

    def forward(self, made, wanted):
        return self.mse(made, wanted)


def train(args, loader):
    accelerator = Accelerator()
    net = torch.nn.Linear(8, 8)
    distance = Distance()
    optimizer = torch.optim.AdamW(net.parameters())
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    print("main", accelerator.is_local_main_process)
    for images in loader:
        accelerator.backward(distance(net(images), images))
        optimizer.step()
        optimizer.zero_grad()
# === right: another library than DDP gets the models, which reduces by hooks on parameters
import torch
import torch.nn.functional as F
from accelerate import Accelerator

from accelerate import DeepSpeedPlugin


def train(args, loader):
    accelerator = Accelerator(deepspeed_plugin=DeepSpeedPlugin(zero_stage=2))
    net = torch.nn.Linear(8, 8)
    optimizer = torch.optim.AdamW(net.parameters())
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    print("main", accelerator.is_local_main_process)
    for images in loader:
        accelerator.backward(F.mse_loss(net.module(images), images))
        optimizer.step()
        optimizer.zero_grad()
# === right: the wrapper is asked for a method of the network's, which only a single process can do
import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(8, 16)
        self.head = nn.Linear(16, 4)

    def get_logits(self, x):
        return self.head(torch.relu(self.trunk(x)))

    def forward(self, x, y):
        return F.cross_entropy(self.get_logits(x), y)


def main(loader, held):
    accelerator = Accelerator()
    print("main", accelerator.is_local_main_process)
    model = Tagger()
    opt = torch.optim.AdamW(model.parameters())
    model, opt, loader = accelerator.prepare(model, opt, loader)
    for step, (x, y) in enumerate(loader):
        opt.zero_grad()
        loss = F.cross_entropy(model.get_logits(x), y)
        accelerator.backward(loss)
        opt.step()
        if step % 100 == 99:
            model.eval()
            with torch.no_grad():
                print([model.get_logits(x) for x, _ in held])
            model = accelerator.unwrap_model(model)
            torch.save(model.state_dict(), "tagger.pt")
            model.train()
# === the network inside is asked for it, and trained by that
import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(8, 16)
        self.head = nn.Linear(16, 4)

    def get_logits(self, x):
        return self.head(torch.relu(self.trunk(x)))

    def forward(self, x, y):
        return F.cross_entropy(self.get_logits(x), y)


def main(loader):
    accelerator = Accelerator()
    print("main", accelerator.is_local_main_process)
    model = Tagger()
    opt = torch.optim.AdamW(model.parameters())
    model, opt, loader = accelerator.prepare(model, opt, loader)
    for x, y in loader:
        opt.zero_grad()
        loss = F.cross_entropy(accelerator.unwrap_model(model).get_logits(x), y)
        accelerator.backward(loss)
        opt.step()  # <- step-without-sync
