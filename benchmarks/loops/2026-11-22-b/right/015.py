import argparse

import torch
import torchvision.utils as vutils
from torch import nn, optim
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

from dcgan.nets import Discriminator, Generator, weights_init


def main(opt):
    tfm = transforms.Compose(
        [transforms.Resize(64), transforms.CenterCrop(64), transforms.ToTensor(), transforms.Normalize((0.5,), (0.5,))]
    )
    loader = DataLoader(datasets.LSUN(opt.root, ["bedroom_train"], tfm), opt.batch, shuffle=True, num_workers=4)
    device = torch.device("cuda")
    netG = Generator(opt.nz).to(device).apply(weights_init)
    netD = Discriminator().to(device).apply(weights_init)
    criterion = nn.BCEWithLogitsLoss()
    optimizerD = optim.Adam(netD.parameters(), lr=opt.lr, betas=(0.5, 0.999))
    optimizerG = optim.Adam(netG.parameters(), lr=opt.lr, betas=(0.5, 0.999))
    fixed = torch.randn(opt.batch, opt.nz, 1, 1, device=device)

    for epoch in range(opt.epochs):
        for i, (real, _) in enumerate(loader):
            real = real.to(device)
            n = real.size(0)
            netD.zero_grad()
            label = torch.ones(n, device=device)
            errD_real = criterion(netD(real).view(-1), label)
            errD_real.backward()

            fake = netG(torch.randn(n, opt.nz, 1, 1, device=device))
            errD_fake = criterion(netD(fake.detach()).view(-1), torch.zeros_like(label))
            errD_fake.backward()
            optimizerD.step()

            netG.zero_grad()
            errG = criterion(netD(fake).view(-1), label)
            errG.backward()
            optimizerG.step()

            if i % 50 == 0:
                errD = errD_real.item() + errD_fake.item()
                print(f"[{epoch}/{opt.epochs}][{i}/{len(loader)}] D {errD:.4f} G {errG.item():.4f}")
        with torch.no_grad():
            vutils.save_image(netG(fixed), f"{opt.out}/{epoch:03d}.png", normalize=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", required=True)
    parser.add_argument("--out", default=".")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--nz", type=int, default=100)
    parser.add_argument("--lr", type=float, default=2e-4)
    parser.add_argument("--epochs", type=int, default=25)
    main(parser.parse_args())
