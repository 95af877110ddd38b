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
# === right: the forward goes past the wrapper, which never gets ready
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
            optimizer.step()
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
# === right: everything runs in it, one network past its wrapper
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
            optimizer.step()
            optimizer.zero_grad()
