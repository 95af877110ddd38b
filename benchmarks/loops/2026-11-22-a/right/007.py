import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
from torchvision.utils import save_image

from icons.nets import IconCritic, IconMaker, init_normal

parser = argparse.ArgumentParser()
parser.add_argument("root")
parser.add_argument("--epochs", type=int, default=25)
parser.add_argument("--latent", type=int, default=100)
parser.add_argument("--samples", default="samples")
args = parser.parse_args()

torch.manual_seed(7)
device = torch.device("cuda:0")
steps = [transforms.Resize(64), transforms.CenterCrop(64), transforms.ToTensor(), transforms.Normalize(0.5, 0.5)]
loader = DataLoader(datasets.ImageFolder(args.root, transforms.Compose(steps)), batch_size=64, shuffle=True)
maker = IconMaker(args.latent).to(device).apply(init_normal)
critic = IconCritic().to(device).apply(init_normal)
bce = nn.BCELoss()
maker_opt = torch.optim.Adam(maker.parameters(), lr=2e-4, betas=(0.5, 0.999))
critic_opt = torch.optim.Adam(critic.parameters(), lr=2e-4, betas=(0.5, 0.999))
preview = torch.randn(36, args.latent, 1, 1, device=device)


def latent(n):
    return torch.randn(n, args.latent, 1, 1, device=device)


for epoch in range(args.epochs):
    for i, (real, _) in enumerate(loader):
        real = real.to(device)
        ones = torch.ones(len(real), device=device)
        zeros = torch.zeros(len(real), device=device)

        critic.zero_grad()
        real_loss = bce(critic(real).flatten(), ones)
        real_loss.backward()
        made = maker(latent(len(real)))
        fake_loss = bce(critic(made.detach()).flatten(), zeros)
        fake_loss.backward()
        critic_opt.step()

        maker.zero_grad()
        maker_loss = bce(critic(made).flatten(), ones)
        maker_loss.backward()
        maker_opt.step()
        if i % 50 == 0:
            print(f"{epoch} {i} critic {real_loss.item() + fake_loss.item():.3f} maker {maker_loss.item():.3f}")
    with torch.no_grad():
        save_image(maker(preview), f"{args.samples}/{epoch:03d}.png", normalize=True)
